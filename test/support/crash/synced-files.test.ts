import { expect, it } from 'vitest';
import { noteSyncs, type Synced } from './synced-files.ts';

it('knows of each file the sync that began last, whichever ended last', () => {
  const synced: Synced = new Map([['7 100', { order: 0, size: 5, hex: 'aa' }]]);
  noteSyncs(synced, '2 7 100 15170 \n1 7 100 9877 \n3 8 100 4 61626364\n4 8 101 1 7a\n');
  expect([...synced]).toEqual([
    ['7 100', { order: 2, size: 15170, hex: '' }],
    ['8 100', { order: 3, size: 4, hex: '61626364' }],
    ['8 101', { order: 4, size: 1, hex: '7a' }],
  ]);
});

it('knows nothing of a line that a kill has cut short', () => {
  const synced: Synced = new Map();
  noteSyncs(synced, '1 7 100 2 6162\n2 7 100 3 6162');
  expect([...synced]).toEqual([['7 100', { order: 1, size: 2, hex: '6162' }]]);
});
