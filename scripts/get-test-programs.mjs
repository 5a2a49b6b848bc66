// Finds or brings the programs that tests run on, beforehand. A process of its own: what imports TypeScript here changes
// NODE_ENV for all that is started afterwards.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const programs = new URL('../server/test/support/services/programs/get-programs.ts', import.meta.url)
const { module } = await runnerImport(fileURLToPath(programs))
await module.getPrograms(console.log)
