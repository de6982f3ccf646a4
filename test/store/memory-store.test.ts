import { TEST_DESCRIPTION } from '../support/level-folder.ts';
import { MemoryStore } from '../support/memory-store/memory-store.ts';
import { describeStore } from './contract.ts';

describeStore('a store in memory', async (settings) => {
  const store = new MemoryStore(TEST_DESCRIPTION, settings);
  return { store, close: () => store.close() };
});
