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

/** Whoever sends no sound for so long has said what it had to say. */
const quietMilliseconds = 250
/** In the recording, a pause between two utterances. */
const pauseMilliseconds = 1000
const mismatch = 4000

/** Plays a session: what the provider said is said again as soon as the client has done what it did before that. */
export function playSession(played: PlayedSession): void {
  const { client } = played
  const play = new SessionPlay(played)
  client.on('message', (data, isBinary) => play.take(isBinary ? null : bytesOf(data).toString('utf8')))
  client.on('close', () => play.stop())
  client.on('error', () => play.stop())
  play.goOn()
}

/**
 * Where the session is in its recording. Frames of the client are matched by their type, whatever else they say, and in
 * whatever order they come among themselves. Of sound there may be more or less than there was: what is missing is not
 * waited for once the client is quiet, but each utterance has to begin.
 */
class SessionPlay {
  readonly #played: PlayedSession
  /** What has come and has not yet been reached in the recording. */
  readonly #waiting: ClientFrame[] = []
  /** Ids that the client made up then, and those that stand for them now. */
  readonly #ids = new Map<string, string>()
  /** How many frames of each type the recording has that did not come yet. */
  readonly #expected: Map<string, number>
  #place = 0
  #sound = 0
  #hasUtteranceBegun = false
  /** When the sound before came, in the recording. */
  #formerSoundAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(played: PlayedSession) {
    this.#played = played
    this.#expected = countTypes(played.lines)
  }

  /** Takes a frame of the client's; null is a binary one, which is sound. */
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

  /** Goes as far as the client has come. */
  goOn(): void {
    clearTimeout(this.#timer)
    for (let line = this.#line; line !== undefined && !this.#isOver; line = this.#line) {
      if (!this.#pass(line)) return this.#waitFor(line)
      this.#place += 1
    }
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  get #line(): RecordedLine | undefined {
    return this.#played.lines[this.#place]
  }

  /** False where the client has still to do something. */
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
    const place = this.#waiting.findIndex(({ type }) => type === then.type)
    const [now] = place < 0 ? [] : this.#waiting.splice(place, 1)
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

  /** The client is quiet, and had spoken: the rest of what it said then is left out. */
  #skipSound(): void {
    for (let line = this.#line; line?.kind === 'audio' && !this.#beginsUtterance(line); line = this.#line) {
      this.#formerSoundAt = line.at
      this.#place += 1
    }
    this.goOn()
  }

  #fail(problem: string): void {
    this.stop()
    this.#played.onProblem(problem)
    this.#played.client.close(mismatch, 'the recording has something else here')
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

/** Not every code that a socket ended with may be sent. */
function sendable(code = 1000): number {
  return code === 1000 || (code >= 3000 && code <= 4999) || (code >= 1007 && code <= 1014) ? code : 1000
}
