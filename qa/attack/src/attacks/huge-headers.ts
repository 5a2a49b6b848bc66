import { inParallel } from '@parley/stage/processes/in-parallel'
import { pour } from '../attacker.js'
import { type Attack, scaled, tally } from '../stage.js'

const connections = 300
const width = 30

const requests: readonly string[] = [
  `GET /api/v1/Task HTTP/1.1\r\nHost: service\r\nX-Long: ${'x'.repeat(2_000_000)}\r\n\r\n`,
  `GET /api/v1/Task HTTP/1.1\r\nHost: service\r\n${'X-Many: 1\r\n'.repeat(100_000)}\r\n`,
  `GET /${'a/'.repeat(500_000)} HTTP/1.1\r\nHost: service\r\n\r\n`,
  `GET /api/v1/Task?${'Limit=1&'.repeat(1900)} HTTP/1.1\r\nHost: service\r\n\r\n`,
  `${'GET / HTTP/1.1\r\nHost: service\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n'.repeat(200)}`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'.repeat(1000),
  'GET /api/v1/Task HTTP/1.1\r\nHost: service\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
]

export const hugeHeaders: Attack = {
  name: 'huge-headers',
  about: 'sends headers of several megabytes, h2c upgrades, and data that is not HTTP',
  async run({ attacker, scale }) {
    const outcomes = await inParallel(scaled(connections, scale), width, async (index) => {
      const socket = await attacker.connectAsStranger()
      let answer = ''
      socket.on('data', (chunk: Buffer) => {
        answer ||= chunk.toString('latin1', 9, 12)
      })
      await pour(socket, Buffer.from(requests[index % requests.length] ?? '', 'latin1'), 1)
      await new Promise((resolve) => {
        socket.once('close', resolve)
        setTimeout(resolve, 1000)
      })
      socket.destroy()
      return answer || 'cut off'
    })
    return tally(outcomes)
  },
}
