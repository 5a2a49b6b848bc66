import type { WebSocket } from 'ws'
import { bytesOf } from './loopback-server.js'
import {
  audioAppendBytes,
  type ClientFrame,
  clientFrameOf,
  type RecordedLine,
  wireForm,
} from './recorded-line.js'

export interface PlayedSession {
  readonly client: WebSocket
  readonly lines: readonly RecordedLine[]
  readonly patienceMilliseconds: number
  readonly onProblem: (problem: string) => void
}

/** A client that sends no audio for this long has finished its utterance. */
const quietMilliseconds = 250
/** In the recording, a longer gap separates two utterances. */
const pauseMilliseconds = 1000
const mismatch = 4000

/**
 * Plays a session: sends each recorded frame of the provider as soon as the client has sent the frames
 * before it.
 */
export function playSession(played: PlayedSession): void {
  const { client } = played
  const play = new SessionPlay(played)
  client.on('message', (data, isBinary) => play.take(isBinary ? null : bytesOf(data).toString('utf8')))
  client.on('close', () => play.stop())
  client.on('error', () => play.stop())
  play.goOn()
}

/**
 * The position of a session in its recording. Frames of the client are matched by type, in any order and
 * with any content. The client may send more or less audio than in the recording. Missing audio is skipped
 * once the client is quiet, but each utterance must begin.
 */
class SessionPlay {
  readonly #played: PlayedSession
  /** Received frames that the recording has not reached yet. */
  readonly #waiting: ClientFrame[] = []
  /** Maps ids that the client made up in the recording to those of this session. */
  readonly #ids = new Map<string, string>()
  /** How many frames of each type are still to come. */
  readonly #expected: Map<string, number>
  #index = 0
  #sound = 0
  #hasUtteranceBegun = false
  /** The recorded time of the previous audio frame. */
  #formerSoundAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(played: PlayedSession) {
    this.#played = played
    this.#expected = countTypes(played.lines)
  }

  /** Handles a frame of the client. Null means a binary frame, which is audio. */
  take(text: string | null): void {
    if (this.#isOver) return
    if (text === null || audioAppendBytes(text) !== null) {
      this.#sound += 1
    } else {
      const frame = clientFrameOf(text)
      const left = (this.#expected.get(frame.type) ?? 0) - 1
      if (left < 0) return this.#fail(`the client sent ${frame.type}, which the recording does not have here`)
      this.#expected.set(frame.type, left)
      this.#waiting.push(frame)
    }
    this.goOn()
  }

  /** Plays on until the client has to send something. */
  goOn(): void {
    clearTimeout(this.#timer)
    for (let line = this.#line; line !== undefined && !this.#isOver; line = this.#line) {
      if (!this.#pass(line)) return this.#waitFor(line)
      this.#index += 1
    }
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  get #line(): RecordedLine | undefined {
    return this.#played.lines[this.#index]
  }

  /** Returns false if the client must send something first. */
  #pass(line: RecordedLine): boolean {
    if (line.from === 'provider') this.#say(line)
    else if (line.kind === 'audio') return this.#passSound(line)
    else if (line.kind !== 'end') return this.#passFrame(line)
    return true
  }

  #say(line: RecordedLine): void {
    const { client } = this.#played
    if (line.kind === 'end') return client.close(sendable(line.code), line.reason)
    const form = wireForm(line)
    if (form !== null) client.send(typeof form === 'string' ? this.#withIds(form) : form)
  }

  #withIds(text: string): string {
    let replaced = text
    for (const [then, now] of this.#ids) replaced = replaced.replaceAll(`"${then}"`, `"${now}"`)
    return replaced
  }

  #passFrame(line: RecordedLine): boolean {
    const then = clientFrameOf(String(wireForm(line)))
    const index = this.#waiting.findIndex(({ type }) => type === then.type)
    const [now] = index < 0 ? [] : this.#waiting.splice(index, 1)
    if (now === undefined) return false
    then.ids.forEach((id, index) => {
      const present = now.ids[index]
      if (id !== undefined && present !== undefined && id !== present) this.#ids.set(id, present)
    })
    return true
  }

  #passSound(line: RecordedLine): boolean {
    if (this.#beginsUtterance(line)) this.#hasUtteranceBegun = false
    if (this.#sound === 0) return false
    this.#sound -= 1
    this.#hasUtteranceBegun = true
    this.#formerSoundAt = line.at
    return true
  }

  #beginsUtterance({ at }: RecordedLine): boolean {
    return at - this.#formerSoundAt > pauseMilliseconds
  }

  #waitFor(line: RecordedLine): void {
    const { patienceMilliseconds } = this.#played
    if (line.kind === 'audio' && this.#hasUtteranceBegun)
      this.#timer = setTimeout(() => this.#skipSound(), quietMilliseconds)
    else
      this.#timer = setTimeout(() => {
        const seconds = patienceMilliseconds / 1000
        const what = line.kind === 'audio' ? 'sound' : clientFrameOf(String(wireForm(line))).type
        this.#fail(`the client did not send ${what} within ${seconds} s, as it did in the recording`)
      }, patienceMilliseconds)
  }

  /** Skips the rest of an utterance after the client has become quiet. */
  #skipSound(): void {
    for (let line = this.#line; line?.kind === 'audio' && !this.#beginsUtterance(line); line = this.#line) {
      this.#formerSoundAt = line.at
      this.#index += 1
    }
    this.goOn()
  }

  #fail(problem: string): void {
    this.stop()
    this.#played.onProblem(problem)
    this.#played.client.close(mismatch, 'the recording differs here')
  }
}

function countTypes(lines: readonly RecordedLine[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const form = line.from === 'client' ? wireForm(line) : null
    if (form === null) continue
    const { type } = clientFrameOf(String(form))
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return counts
}

/** Returns a close code that may be sent. Some received codes may not. */
function sendable(code = 1000): number {
  return code === 1000 || (code >= 3000 && code <= 4999) || (code >= 1007 && code <= 1014) ? code : 1000
}
