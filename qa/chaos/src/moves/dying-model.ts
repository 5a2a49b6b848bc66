import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'

/** The number of words of an answer, and the pause between them. */
export const answerWords = 6
const wordMilliseconds = 80

interface Item {
  readonly id?: string
  readonly type: string
  readonly role?: string
  readonly call_id?: string
  readonly arguments?: string
  readonly output?: string
  readonly content?: readonly { readonly text?: string; readonly transcript?: string }[]
}

interface ClientEvent {
  readonly type: string
  readonly event_id?: string
  readonly session?: { readonly instructions?: string }
  readonly audio?: string
  readonly item?: Item
}

/** A provider of two models whose connections can be ended at any moment, and the endpoint of the tool that they call. */
export interface DyingModel {
  readonly url: string
  /** The open connections that talk to a session. */
  readonly connections: ReadonlySet<Connection>
  /** The arguments of each run of the tool, in order. */
  readonly effects: readonly string[]
  close(): void
}

/** Returns whether the model makes a call before it answers this question. */
export const needsCall = (question: string) => question.endsWith('c')

export async function startDyingModel(): Promise<DyingModel> {
  const effects: string[] = []
  const http = createServer((request, response) => void serveTool(request, response, effects))
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  const connections = new Set<Connection>()
  let count = 0
  sockets.on('connection', (socket) => {
    count += 1
    const connection = new Connection(socket, count)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    connections,
    effects,
    close() {
      sockets.close()
      http.closeAllConnections()
      http.close()
    },
  }
}

async function serveTool(
  request: IncomingMessage,
  response: ServerResponse,
  effects: string[],
): Promise<void> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  await sleep(50)
  effects.push((JSON.parse(body) as { readonly call: string }).call)
  response.end('noted')
}

/**
 * One connection. Audio is text in base64, and speech ends with a full stop. An answer has the words that the history lacks,
 * and a call is made again only if the first one was cut off.
 */
export class Connection {
  /** The session, once the configuration has arrived. */
  key = ''
  readonly openedAt = performance.now()
  readonly #socket: WebSocket
  readonly #number: number
  readonly #items: Item[] = []
  #heard = ''
  #isAnswering = false
  #ids = 0

  constructor(socket: WebSocket, number: number) {
    this.#socket = socket
    this.#number = number
    socket.on('error', () => undefined)
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as ClientEvent))
  }

  die(): void {
    this.#socket.terminate()
  }

  #receive(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        this.key = /chaos (\S+)/.exec(event.session?.instructions ?? '')?.[1] ?? ''
        this.#send({ type: 'session.created', session: {} })
        return this.#send({ type: 'session.updated', session: {} })
      case 'conversation.item.create': {
        const item = { id: this.#newId('item'), ...event.item } as Item
        this.#items.push(item)
        return this.#send({ type: 'conversation.item.added', item })
      }
      case 'input_audio_buffer.append':
        if (this.#heard === '') this.#send({ type: 'input_audio_buffer.speech_started' })
        this.#heard += Buffer.from(event.audio ?? '', 'base64').toString()
        if (this.#heard.endsWith('.')) {
          this.#commit()
          void this.#answer()
        }
        return
      case 'input_audio_buffer.commit':
        if (this.#heard === '') this.#refuse('input_audio_buffer_commit_empty', event)
        else this.#commit()
        return
      case 'response.create':
        if (this.#isAnswering) this.#refuse('conversation_already_has_active_response', event)
        else void this.#answer()
    }
  }

  #refuse(code: string, { event_id: eventId }: ClientEvent): void {
    this.#send({ type: 'error', error: { type: 'invalid_request_error', code, event_id: eventId } })
  }

  #commit(): void {
    const transcript = this.#heard
    this.#heard = ''
    const id = this.#newId('speech')
    this.#items.push({ id, type: 'message', role: 'user', content: [{ text: transcript }] })
    this.#send({ type: 'input_audio_buffer.speech_stopped' })
    this.#send({ type: 'input_audio_buffer.committed', item_id: id })
    const type = 'conversation.item.input_audio_transcription.completed'
    this.#send({ type, item_id: id, content_index: 0, transcript })
  }

  async #answer(): Promise<void> {
    this.#isAnswering = true
    const asked = this.#items.findLastIndex(({ type, role }) => type === 'message' && role === 'user')
    const question = textOf(this.#items[asked]).replace('.', '')
    const since = this.#items.slice(asked + 1)
    const isCalled = since.some(({ type, call_id }) => type === 'function_call' && !this.#isCutOff(call_id))
    const id = this.#newId('response')
    this.#send({ type: 'response.created', response: { id, status: 'in_progress' } })
    const item =
      needsCall(question) && !isCalled
        ? await this.#call(id, question)
        : await this.#say(
            id,
            question,
            since
              .filter(({ role }) => role === 'assistant')
              .map(textOf)
              .join(''),
          )
    const usage = { total_tokens: 3, input_tokens: 1, output_tokens: 2 }
    this.#send({ type: 'response.done', response: { id, status: 'completed', output: [item], usage } })
    this.#isAnswering = false
  }

  async #say(responseId: string, question: string, said: string): Promise<object> {
    const words = Array.from({ length: answerWords }, (_, index) => `${question}w${index + 1} `)
    const left = words.filter((word) => !said.includes(word))
    const item = { id: this.#newId('answer'), type: 'message', role: 'assistant', status: 'completed' }
    const ids = { response_id: responseId, item_id: item.id, content_index: 0 }
    this.#send({ type: 'response.output_item.added', response_id: responseId, item })
    for (const word of left) {
      this.#send({ type: 'response.output_audio_transcript.delta', ...ids, delta: word })
      this.#send({ type: 'response.output_audio.delta', ...ids, delta: 'A'.repeat(1000) })
      await sleep(wordMilliseconds)
    }
    const transcript = left.join('')
    this.#send({ type: 'response.output_audio_transcript.done', ...ids, transcript })
    this.#items.push({ ...item, content: [{ text: transcript }] })
    this.#send({ type: 'response.output_item.done', response_id: responseId, item })
    return item
  }

  async #call(responseId: string, question: string): Promise<object> {
    const callId = this.#newId('call')
    const named = { id: `item_${callId}`, type: 'function_call', call_id: callId, name: 'note' }
    const item = { ...named, arguments: JSON.stringify({ call: question }), status: 'completed' }
    this.#send({
      type: 'response.output_item.added',
      response_id: responseId,
      item: { ...named, arguments: '' },
    })
    await sleep(wordMilliseconds)
    this.#send({
      type: 'response.function_call_arguments.done',
      response_id: responseId,
      item_id: item.id,
      call_id: callId,
      name: 'note',
      arguments: item.arguments,
    })
    this.#send({ type: 'response.output_item.done', response_id: responseId, item })
    this.#items.push(item)
    return item
  }

  #isCutOff(callId: string | undefined): boolean {
    const output = this.#items.find(
      ({ type, call_id }) => type === 'function_call_output' && call_id === callId,
    )
    return output?.output?.includes('interrupted') === true
  }

  #newId(kind: string): string {
    this.#ids += 1
    return `${kind}_${this.#number}_${this.#ids}`
  }

  #send(event: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(event))
  }
}

function textOf(item: Item | undefined): string {
  return (item?.content ?? []).map(({ text, transcript }) => text ?? transcript ?? '').join('')
}
