import { afterAll, afterEach, beforeAll } from 'vitest'
import { type ScriptedChatServer, startScriptedChatServer } from '../scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../scripted-http-server.js'
import type { TestServiceOptions } from '../start-service.js'
import { type OpenSession, type RealtimeTestService, startRealtimeService } from './realtime-service.js'
import { endedSession } from './spoken-turns.js'
import { openSessionOf, openToolSession, type ToolSession } from './tool-calls.js'
import { approvalsOf, callMessages, decide, refundTool } from './waiting-calls.js'

/** The service and what its agents reach in the tests of a file: a tool endpoint and a text model. */
export interface RefundService {
  readonly running: RealtimeTestService
  readonly tools: ScriptedHttpServer
  readonly chat: ScriptedChatServer
  /** A session of a new agent that can make refunds after an approval. */
  open(): Promise<ToolSession>
  /** Disconnects the client and waits until its session has ended. */
  leave(session: Pick<OpenSession, 'client' | 'ticket'>): Promise<void>
  /** Opens the next session of the conversation, even if the former one still runs. */
  openNext(former: ToolSession): Promise<ToolSession>
  approvalsOf(conversationId: string): ReturnType<typeof approvalsOf>
  callMessages(conversationId: string): ReturnType<typeof callMessages>
  /** Decides over HTTP. */
  decide(
    conversationId: string,
    callId: string,
    decision: 'approve' | 'reject',
    reason?: string,
  ): ReturnType<typeof decide>
}

/**
 * Starts the service before the tests of a file and stops it after them. After each test it checks that
 * exactly the expected calls happened.
 */
export function useRefundService(optionsOf: () => TestServiceOptions = () => ({})): RefundService {
  let running: RealtimeTestService
  let tools: ScriptedHttpServer
  let chat: ScriptedChatServer

  beforeAll(async () => {
    running = await startRealtimeService(optionsOf())
    tools = await startScriptedHttpServer()
    chat = await startScriptedChatServer()
  })

  afterEach(() => {
    tools.verify()
    chat.verify()
  })

  afterAll(async () => {
    await running.close()
    await tools.close()
    await chat.close()
  })

  return {
    get running() {
      return running
    },
    get tools() {
      return tools
    },
    get chat() {
      return chat
    },
    open: () => openToolSession(running, { tools: [refundTool(tools)] }),
    async leave({ client, ticket }) {
      client.socket.close()
      await endedSession(running.client, ticket.conversationId)
    },
    async openNext({ agentId, ticket: { conversationId } }) {
      return { ...(await openSessionOf(running, agentId, { conversationId })), agentId }
    },
    approvalsOf: (conversationId) => approvalsOf(running.client, conversationId),
    callMessages: (conversationId) => callMessages(running.client, conversationId),
    decide: (...decision) => decide(running.client, ...decision),
  }
}
