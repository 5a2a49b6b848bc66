import { Part } from '@parley/stage/processes/part'
import type { ParleyService } from '@parley/stage/service/parley-service'
import { makeTextAgent } from '../text/text-agent.js'
import { factors } from './exponent.js'
import type { GrowingWork, WorkMaker } from './growing-work.js'

const wordsPerAnswer = 50

/** Answers of different lengths, streamed completely. Each length has its own model. */
export async function startTextWork(
  { api, credentials, url }: ParleyService,
  longerWork: WorkMaker['longerWork'],
): Promise<{ readonly work: GrowingWork; stop(): Promise<void> }> {
  const models: Part<object>[] = []
  const agents = new Map<number, string>()
  for (const factor of factors) {
    const entry = new URL('../text/wordy-model-process.js', import.meta.url)
    const model = new Part<object>(entry, [`${wordsPerAnswer * factor}`])
    models.push(model)
    agents.set(factor, await makeTextAgent(api, `http://127.0.0.1:${await model.ask<number>({})}`))
  }
  const headers = {
    'x-org-id': credentials.organizationId,
    'x-api-key': credentials.apiKey,
    accept: 'text/event-stream',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ question: 'What is there to say?' })
  const work = longerWork(`answer of ${wordsPerAnswer} events streamed`, async (factor) => {
    const path = `/api/v1/Agent/${agents.get(factor)}/question`
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status}`)
    await response.text()
  })
  return {
    work,
    async stop() {
      await Promise.all(models.map((model) => model.stop()))
    },
  }
}
