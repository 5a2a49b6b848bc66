// `npm run talk`: builds everything that is out of date, then becomes `parley talk`.
import { prepare } from './prepare.mjs'

await prepare(['apps/talk'])
process.argv.splice(2, process.argv.length, 'talk', ...process.argv.slice(2))
await import('../apps/server/bin/parley.mjs')
