// `npm start`: builds everything that is out of date, then becomes `parley start`.
import { prepare } from './prepare.mjs'

await prepare()
process.argv.splice(2, process.argv.length, 'start', ...process.argv.slice(2))
await import('../apps/server/bin/parley.mjs')
