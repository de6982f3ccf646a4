import { render } from 'preact';
import { Shell } from './shell.tsx';

const page = document.getElementById('page');
if (page !== null) {
  page.textContent = '';
  render(<Shell />, page);
}
