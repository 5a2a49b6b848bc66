import { type ScriptedHttpServer, startScriptedHttpServer } from '../scripted-http-server.js'
import { makeTestTimers, type TestTimers } from '../test-timers.js'
import { type HeldAnswer, holdAnswer } from './held-answer.js'
import { type RealtimeTestService, startRealtimeService } from './realtime-service.js'
import { endedSession } from './spoken-turns.js'
import { openToolSession, type PlayedCall, type ToolSession } from './tool-calls.js'

/** Sessions of an agent with one tool whose answers the test gives, and one client tool. */
export interface JobSessions {
  readonly running: RealtimeTestService
  readonly tools: ScriptedHttpServer
  readonly timers: TestTimers
  open(): Promise<ToolSession>
  /** Expects a run of the job with this name. */
  hold(job: string): HeldAnswer
  /** Closes the open sessions and checks that exactly the expected jobs have run. */
  finish(): Promise<void>
  close(): Promise<void>
}

export async function startJobSessions(env: Readonly<Record<string, string>> = {}): Promise<JobSessions> {
  const timers = makeTestTimers()
  const running = await startRealtimeService({ timers, env })
  const tools = await startScriptedHttpServer()
  const open: ToolSession[] = []
  const job = {
    kind: 'http',
    name: 'job',
    description: 'Does a job.',
    parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    request: { method: 'GET', url: `${tools.url}/job/{id}` },
    timeoutSeconds: 600,
  }
  const clientTools = [{ name: 'show_map', description: 'Shows a map.' }]
  return {
    running,
    tools,
    timers,
    async open() {
      const session = await openToolSession(running, { tools: [job] }, { clientTools })
      open.push(session)
      return session
    },
    hold: (name) => holdAnswer(tools, `GET /job/${name}`),
    async finish() {
      for (const { client } of open) client.socket.terminate()
      for (const { ticket } of open) await endedSession(running.client, ticket.conversationId)
      open.length = 0
      tools.verify()
    },
    async close() {
      await running.close()
      await tools.close()
    },
  }
}

export const jobCall = (id: string): PlayedCall => ({
  callId: id,
  name: 'job',
  arguments: JSON.stringify({ id }),
})

export const mapCall: PlayedCall = { callId: 'map', name: 'show_map' }
