// `npm run talk`: builds what is missing or out of date, then runs `parley talk` in this process.
import { prepare } from './prepare.mjs'

await prepare(['apps/talk'])
process.argv.splice(2, process.argv.length, 'talk', ...process.argv.slice(2))
await import('../apps/server/bin/parley.mjs')
