import { afterAll, afterEach, beforeAll } from 'vitest'
import { makeTextAgent } from '../realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../scripted-chat-server.js'
import { type Instances, startInstances } from './instances.js'

export interface Concierge {
  readonly instances: Instances
  readonly model: ScriptedChatServer
  readonly agentId: string
}

/**
 * Two instances on one database with an agent and a scripted model, started before the tests of a file.
 * After each test it checks that the model has received exactly the expected requests.
 */
export function useConcierge(): Concierge {
  let instances: Instances
  let model: ScriptedChatServer
  let agentId: string

  beforeAll(async () => {
    instances = await startInstances()
    model = await startScriptedChatServer()
    agentId = await makeTextAgent(instances.one, model, { name: 'Concierge' })
  })

  afterEach(() => model.verify())

  afterAll(async () => {
    await instances.close()
    await model.close()
  })

  return {
    get instances() {
      return instances
    },
    get model() {
      return model
    },
    get agentId() {
      return agentId
    },
  }
}
