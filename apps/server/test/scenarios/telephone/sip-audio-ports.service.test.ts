import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../support/services/free-port.js'
import { type SipService, startSipService } from '../../support/telephone/sip-service.js'

let sip: SipService

beforeAll(async () => {
  const port = await findFreePort()
  const even = port - (port % 2)
  sip = await startSipService({ env: { PARLEY_PHONE_AUDIO_PORTS: `${even}-${even + 1}` } })
})

afterAll(() => sip.close())

test('SIP calls for which no audio port is free end as failed, and say why [SIP-20]', async () => {
  const failed = {
    ...{ state: 'ended', endReason: 'failed' },
    endDetail: 'No audio port is free. Enlarge PARLEY_PHONE_AUDIO_PORTS.',
  }
  const { call } = await sip.incoming()
  expect(await sip.callIn().untilEnded()).toEqual({ kind: 'rejected', status: 503 })
  await sip.newest({ direction: 'incoming', ...failed })
  const { id } = await sip.callOut()
  await sip.newest({ id, ...failed })
  expect(call.end).toBeNull()
  call.leg?.hangUp()
})
