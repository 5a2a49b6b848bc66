import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/http/expect-problem.js'
import { chosenLimits, defaultLimits, useLimitedServices } from '../../support/realtime/limited-services.js'
import { requestHandshake } from '../../support/realtime/open-socket.js'
import type { RunningService } from '../../support/start-service.js'

const services = useLimitedServices()

/** Returns the number of sessions whose end the service has logged. The log line is written immediately. */
const countEnds = (there: RunningService) =>
  there.log.filter((line) => line.includes('realtime session ended')).length

describe.each([
  ['default', defaultLimits, () => services.plain],
  ['setting', chosenLimits, () => services.configured],
] as const)('limits of a session (%s)', (_, limits, serviceOf) => {
  const [format] = limits.formats
  const request = { inputAudioFormat: format, outputAudioFormat: format }

  test('the limits appear in the ticket [8-1]', async () => {
    const { clock, service: there } = serviceOf()
    expect(await there.createTicket(request)).toMatchObject({
      expiresAt: new Date(clock.now().getTime() + limits.ttlSeconds * 1000).toISOString(),
      supportedInputAudioFormats: limits.formats,
      supportedOutputAudioFormats: limits.formats,
      maxSessionSeconds: limits.maxSessionSeconds,
      idleTimeoutSeconds: limits.idleTimeoutSeconds,
    })
  })

  test("a limit applies to the token's lifetime [8-1]", async () => {
    const { clock, service: there } = serviceOf()
    const { webSocketPath } = await there.createTicket(request)
    clock.advance(limits.ttlSeconds * 1000)
    expectProblem(await requestHandshake(there.url, webSocketPath), 'RealtimeSessionExpired')
  })

  test('a limit applies to the idle timeout [8-1]', async () => {
    const { timers, service: there } = serviceOf()
    const { client } = await there.openSession(request)
    const ends = countEnds(there)
    timers.advance((limits.idleTimeoutSeconds - 1) * 1000)
    expect(countEnds(there)).toBe(ends)
    timers.advance(1000)
    expect(await client.inbox.closed).toMatchObject({ code: 4001 })
  })

  test("a limit applies to the session's duration [8-1]", async () => {
    const { timers, service: there } = serviceOf()
    const { client, provider } = await there.openSession(request)
    const stepSeconds = 6
    for (let passed = 0; passed < limits.maxSessionSeconds; passed += stepSeconds) {
      // A round trip, so that both sides have answered their pings.
      provider.send({ type: 'rate_limits.updated', passed })
      expect(await client.inbox.takeJson()).toMatchObject({ passed })
      client.send({ type: 'input_audio_buffer.clear', passed })
      expect(await provider.inbox.takeJson()).toMatchObject({ passed })
      timers.advance(stepSeconds * 1000)
    }
    expect(await client.inbox.closed).toMatchObject({ code: 4000 })
  })

  test('a limit applies to the message size [8-1]', async () => {
    const { client, provider } = await serviceOf().service.openSession(request)
    client.send(Buffer.alloc(limits.maxMessageBytes))
    expect((await provider.inbox.take()).data).toHaveLength(limits.maxMessageBytes)
    client.send(Buffer.alloc(limits.maxMessageBytes + 1))
    expect(await client.inbox.closed).toMatchObject({ code: 1009 })
  })

  test('a limit applies to the connection to the provider [8-1]', async () => {
    const { timers, service: there } = serviceOf()
    const reached = new Promise<void>((resolve) =>
      there.provider.onUpgrade(() => {
        resolve()
        return 'handled'
      }),
    )
    const { webSocketPath } = await there.createTicket(request)
    const client = await there.connect(webSocketPath)
    await reached
    const ends = countEnds(there)
    timers.advance(limits.connectTimeoutSeconds * 1000 - 1)
    expect(countEnds(there)).toBe(ends)
    timers.advance(1)
    expect(await client.inbox.closed).toMatchObject({ code: 4002 })
  })
})
