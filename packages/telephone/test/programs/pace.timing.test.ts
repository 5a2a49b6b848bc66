import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { closeAfterwards } from '../../../../apps/server/test/support/close-afterwards.js'
import { findFreePort } from '../../../../apps/server/test/support/services/free-port.js'
import { runSipp, steps } from '../support/programs/sipp.js'
import { openTestLine } from '../support/programs/test-line.js'

interface Pace {
  readonly streams: number
  readonly packets: number
  readonly jitter: number
  readonly medianGap: number
  readonly p99Gap: number
  readonly longestGap: number
}

/** Blocks this thread for 60 of every 300 ms. Returns a function that ends it. */
function blockThread(): () => void {
  const timer = setInterval(() => {
    const end = performance.now() + 60
    while (performance.now() < end);
  }, 300)
  return () => clearInterval(timer)
}

async function measure(calls: number): Promise<Pace> {
  const meter = new Worker(new URL('../support/programs/jitter-meter.mjs', import.meta.url))
  closeAfterwards(() => meter.terminate())
  const [{ port }] = (await once(meter, 'message')) as [{ port: number }]
  const [own, peer] = [await findFreePort(), await findFreePort()]
  const server = { host: '127.0.0.1', port: peer, transport: 'udp' } as const
  await openTestLine({ server, port: own, maxCalls: calls })
  const { invite, request, receive, pause } = steps
  const scenario = [invite(port), request('ACK', 1), pause(8000), request('BYE', 9), receive(200)]
  const args = ['-m', String(calls), '-r', String(calls), '-l', String(calls)]
  expect(await runSipp({ scenario, remotePort: own, port: peer, args })).toMatchObject({ code: 0 })
  meter.postMessage('report')
  const [pace] = (await once(meter, 'message')) as [Pace]
  process.stdout.write(`${calls} calls: ${JSON.stringify(pace)}\n`)
  return pace
}

describe('the pace of RTP', () => {
  test('of 20 calls at once has less than 2 ms of jitter', async () => {
    const pace = await measure(20)
    expect(pace.streams).toBe(20)
    expect(pace.jitter).toBeLessThan(2)
  })

  test('has less than 2 ms of jitter while the main thread is blocked again and again', async () => {
    const stop = blockThread()
    try {
      const pace = await measure(10)
      expect(pace.streams).toBe(10)
      expect(pace.jitter).toBeLessThan(2)
    } finally {
      stop()
    }
  })
})
