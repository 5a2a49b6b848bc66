import { systemClock } from '#server/adapters/system/clock.js'
import { makeLog } from '#server/adapters/system/log.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import { parseConfig } from '#server/config/config.js'
import { Erasures } from '#server/domain/retention/erase.js'
import { openWithSecrets } from '#server/wiring/open-with-secrets.js'

/*
 * Erases end users, and kills itself when the given statement is sent (`sent`) or has ended (`ended`). Exits with 0 if
 * the erasure is complete before.
 */
const [count, phase] = process.argv.slice(2)
const parsed = parseConfig(process.env)
if (!parsed.ok) throw new Error(parsed.errors.join('\n'))
const log = makeLog('warn', false, {
  destination: process.stderr,
  instance: { instance: 'erasing', version: 'test' },
})
const onCrash = (error) => {
  throw error
}
const { database } = await openWithSecrets(parsed.config, { log, onCrash })
let left = Number(count)
const kill = () => process.kill(process.pid, 'SIGKILL')
database.observeStatements(() => {
  left -= 1
  if (left === 0 && phase === 'sent') kill()
  const isLast = left === 0
  return () => {
    if (isLast) kill()
  }
})
await new Erasures({ database, clock: systemClock, timers: systemTimers }).poll()
process.exit(0)
