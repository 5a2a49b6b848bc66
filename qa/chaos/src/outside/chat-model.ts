import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { streamChat } from '@parley/stage/models/chat-stream'
import { type WorkRequest, workOn } from '@parley/stage/models/working-model'

/** What a question asks the model to do. */
export type QuestionAct = 'plain' | 'note' | 'charge'

export const describeQuestion = (key: string, act: QuestionAct) => `Question ${key}: ${act}.`
const answerTo = (key: string) => `This is the answer to ${key}, in a few words.`

const pieceMilliseconds = 60

/**
 * A text model. Answers questions in pieces, after a tool call if the question asks for one. Works on tasks
 * step by step.
 */
export async function serveChat(response: ServerResponse, request: WorkRequest): Promise<void> {
  const question = questionIn(request)
  if (question === null) return workOn(response, request)
  const { key, act } = question
  const isCalled = request.messages.some(({ role }) => role === 'tool')
  if (act !== 'plain' && !isCalled) {
    const made = { name: act, arguments: JSON.stringify({ call: key }) }
    const call = { index: 0, id: `call_${key}`, type: 'function', function: made }
    return streamChat(response, [{ role: 'assistant', tool_calls: [call] }], 'tool_calls')
  }
  await streamSlowly(response, answerTo(key).split(/(?<= )/))
}

async function streamSlowly(response: ServerResponse, pieces: readonly string[]): Promise<void> {
  const chunk = (delta: object, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    return `data: ${JSON.stringify({ id: 'chat', object: 'chat.completion.chunk', choices })}\n\n`
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of pieces) {
    if (response.destroyed) return
    response.write(chunk({ role: 'assistant', content }, null))
    await sleep(pieceMilliseconds)
  }
  response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
}

function questionIn({ messages }: WorkRequest): { readonly key: string; readonly act: QuestionAct } | null {
  for (const { role, content } of messages) {
    const found = role === 'user' && /Question (\S+): (plain|note|charge)\./.exec(JSON.stringify(content))
    if (found) return { key: found[1] ?? '', act: found[2] as QuestionAct }
  }
  return null
}
