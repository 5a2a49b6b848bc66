import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { closeAfterwards } from '../../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../../apps/server/test/support/services/free-port.js'
import { Baresip } from '../support/programs/baresip.js'

test('a peer hears the end of a call if the process is killed', async () => {
  const baresip = await Baresip.start({ settings: ['rtp_timeout 2'] })
  const port = await findFreePort()
  const program = fileURLToPath(new URL('../support/programs/answering-process.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, String(baresip.port), String(port)])
  closeAfterwards(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  baresip.command('dial', `sip:parley@127.0.0.1:${port}`)
  await baresip.until('CALL_RTPESTAB')
  child.kill('SIGKILL')
  await baresip.until('CALL_CLOSED')
  expect(baresip.events).toContain('CALL_ESTABLISHED')
})
