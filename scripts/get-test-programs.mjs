// Downloads the programs that tests use: node scripts/get-test-programs.mjs postgres redis
// It is a separate process because importing TypeScript changes NODE_ENV for all later child processes.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const programs = new URL('../apps/server/test/support/services/programs/get-programs.ts', import.meta.url)
const { module } = await runnerImport(fileURLToPath(programs))
await module.getPrograms(process.argv.slice(2), console.log)
