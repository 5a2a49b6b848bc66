import { Parley, type ParleyOptions } from '@parley/sdk'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { makeTextAgent } from '../realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../scripted-chat-server.js'
import { type RunningService, startService } from '../start-service.js'
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.js'

/** The service, a flaky proxy before it, and an SDK client that connects through the proxy. */
export interface SdkService {
  readonly running: RunningService
  readonly proxy: FlakyProxy
  readonly model: ScriptedChatServer
  /** An agent whose model is scripted by the tests. */
  readonly agentId: string
  readonly parley: Parley
  /** Creates another client of the same service. */
  connect(options?: Partial<ParleyOptions>): Parley
}

/** Starts the service before the tests of a file and closes it after them. */
export function useSdkService(): SdkService {
  let running: RunningService
  let proxy: FlakyProxy
  let model: ScriptedChatServer
  let agentId: string
  let parley: Parley

  const connect = (options: Partial<ParleyOptions> = {}) => {
    const { organizationId, apiKey } = running
    return new Parley({ baseUrl: proxy.url, organizationId, apiKey, backoffMilliseconds: 1, ...options })
  }

  beforeAll(async () => {
    running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
    proxy = await startFlakyProxy(() => running.url)
    model = await startScriptedChatServer()
    agentId = await makeTextAgent(running, model, { name: 'Concierge' })
    parley = connect()
  })

  afterEach(() => {
    proxy.failNext()
    model.verify()
  })

  afterAll(async () => {
    await proxy.close()
    await running.close()
    await model.close()
  })

  return {
    get running() {
      return running
    },
    get proxy() {
      return proxy
    },
    get model() {
      return model
    },
    get agentId() {
      return agentId
    },
    get parley() {
      return parley
    },
    connect,
  }
}
