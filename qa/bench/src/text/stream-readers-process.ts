import { Agent, request } from 'node:http'
import { serveCommands } from '@parley/stage/processes/part'
import { Latencies, type LatencyCounts } from '../relay/latencies.js'

export interface ReadStreamsCommand {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  /** The number of concurrent readers, and the questions of each. */
  readonly readers: number
  readonly times: number
  /** The number of pieces of an answer. Repeated text does not count. */
  readonly words: number
}

export interface StreamsReport {
  /** From the question to the first piece of the answer. */
  readonly firstPieces: LatencyCounts
  /** The number of pieces of all answers. */
  readonly pieces: number
  readonly seconds: number
}

/** A string that only a piece of an answer contains, for every server. */
const word = /word\d+ /g

/** Asks this many questions concurrently and reads every answer to its end. */
serveCommands<ReadStreamsCommand>(
  async ({ url, headers, body, readers, times, words }): Promise<StreamsReport> => {
    const agent = new Agent({ keepAlive: false, maxSockets: readers })
    const firstPieces = new Latencies()
    const text = JSON.stringify(body)
    let pieces = 0
    const startedAt = performance.now()
    const readOne = () =>
      new Promise<void>((resolve, reject) => {
        const askedAt = performance.now()
        let read = 0
        const asked = request(url, {
          agent,
          method: 'POST',
          headers: { ...headers, accept: 'text/event-stream', 'content-type': 'application/json' },
        })
        asked.once('error', reject)
        asked.once('response', (response) => {
          if (response.statusCode !== 200) reject(new Error(`POST ${url}: ${response.statusCode}`))
          response.setEncoding('utf8').on('data', (chunk: string) => {
            const found = Math.min(chunk.match(word)?.length ?? 0, words - read)
            if (found > 0 && read === 0) firstPieces.add((performance.now() - askedAt) * 1000)
            read += found
            pieces += found
          })
          response.once('end', resolve)
        })
        asked.end(text)
      })
    const readAll = async () => {
      for (let time = 0; time < times; time += 1) await readOne()
    }
    await Promise.all(Array.from({ length: readers }, readAll))
    agent.destroy()
    return { firstPieces: firstPieces.counts, pieces, seconds: (performance.now() - startedAt) / 1000 }
  },
)
