import { MemoryStore } from '../support/memory-store/memory-store.ts';
import { TEST_DESCRIPTION } from '../support/store/level-folder.ts';
import { describeStore } from './contract.ts';

describeStore('a store in memory', async (settings) => {
  const store = new MemoryStore(TEST_DESCRIPTION, settings);
  return { store, close: () => store.close() };
});
