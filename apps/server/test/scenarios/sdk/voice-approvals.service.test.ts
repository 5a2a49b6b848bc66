import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { approveWaiting, refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { acceptSession, openVoice, type ScriptedOptions } from '../../support/sdk/scripted-voice.js'
import { startTcpProxy } from '../../support/services/tcp-proxy.js'

let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  running = await startRealtimeService()
  tools = await startScriptedHttpServer()
})

afterEach(() => tools.verify())

afterAll(async () => {
  await running.close()
  await tools.close()
})

const until = (what: () => unknown) => expect.poll(what, patiently)

/** Opens a voice session whose agent calls the refund tool. */
async function openRefund(options: ScriptedOptions = {}) {
  const agentId = await makeToolAgent(running, { tools: [refundTool(tools)] })
  const opened = await openVoice(running, { ...options, agentId })
  playCalls(opened.provider, 'r', [refundCall('c1')])
  return opened
}

describe('a call that a person decides on', () => {
  test('is an object with its deadline and runs when it is approved [SDK-32]', async () => {
    const { voice, provider } = await openRefund()
    await until(() => voice.getState().approvals.length).toBe(1)
    const [approval] = voice.getState().approvals
    expect(approval?.call).toMatchObject({ name: 'refund', title: 'Refund', argumentsText: '{"amount":5}' })
    const secondsLeft = ((approval?.deadline.getTime() ?? 0) - Date.now()) / 1000
    expect(Math.abs(secondsLeft - 300)).toBeLessThan(10)
    expect(voice.getState()).toMatchObject({ phase: 'listening', calls: [{ status: 'waiting' }] })

    tools.expect('POST /refund', { body: 'Paid.' })
    approval?.approve()
    approval?.reject('Too late.')
    expect((await takeOutput(provider)).output).toContain('Paid.')
    await until(() => voice.getState()).toMatchObject({
      approvals: [],
      calls: [{ status: 'done', text: expect.stringContaining('Paid.'), isOfClient: false }],
    })
  })

  test('is rejected with the reason that a function returns, and the model receives it [SDK-32]', async () => {
    const { voice, provider } = await openRefund({
      onApproval: async () => ({ rejected: 'Not on Sundays.' }),
    })
    expect((await takeOutput(provider)).output).toContain('Not on Sundays.')
    await until(() => voice.getState()).toMatchObject({ approvals: [], calls: [{ status: 'failed' }] })
  })

  test('still waits after a network failure, and a decision made during it counts [SDK-32]', async () => {
    const { hostname, port } = new URL(running.url)
    const proxy = await startTcpProxy(hostname, Number(port))
    const { voice } = await openRefund({ url: proxy.rewriteUrl(running.url) })
    await until(() => voice.getState().approvals.length).toBe(1)
    await proxy.cut()
    await until(() => voice.getState().connection).toBe('reconnecting')
    expect(voice.getState().approvals).toHaveLength(1)
    tools.expect('POST /refund', { body: 'Paid later.' })
    voice.getState().approvals[0]?.approve()
    await proxy.restore()
    await acceptSession(running)
    await until(() => voice.getState()).toMatchObject({
      approvals: [],
      calls: [{ status: 'done', text: expect.stringContaining('Paid later.') }],
    })
  })

  test('cannot be decided by a client if staff decide, and no function is called [APR-7] [SDK-32]', async () => {
    const agentId = await makeToolAgent(running, { tools: [refundTool(tools, { approvedBy: 'staff' })] })
    const asked: string[] = []
    const errors: string[] = []
    const { voice, provider } = await openVoice(running, {
      agentId,
      onApproval: ({ callId }) => {
        asked.push(callId)
        return true
      },
    })
    voice.on('error', ({ message }) => errors.push(message))
    playCalls(provider, 'r', [refundCall('c1')])
    await until(() => voice.getState().approvals).toMatchObject([{ callId: 'c1', mayDecide: false }])
    voice.getState().approvals[0]?.approve()
    voice.getState().approvals[0]?.reject()
    tools.expect('POST /refund', { body: 'Paid.' })
    await approveWaiting(running.client)
    await until(() => voice.getState()).toMatchObject({ approvals: [], calls: [{ status: 'done' }] })
    expect({ asked, errors }).toEqual({ asked: [], errors: [] })
  })
})
