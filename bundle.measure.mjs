import { rolldown } from 'rolldown';
const b = await rolldown({ input: 'node_modules/typebox/build/index.mjs', platform: 'node' });
await b.write({ file: '/tmp/suite/typebox.bundle.mjs', format: 'esm' });
