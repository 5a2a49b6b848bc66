// Answers calls until it is killed: node answering-process.mjs PORT OF THE PEER, OWN PORT
import { startTelephone } from '#telephone/index.js'

const [peerPort, port] = process.argv.slice(2).map(Number)
const telephone = startTelephone((error) => {
  throw error
})
await telephone.openLine(
  {
    server: { host: '127.0.0.1', transport: 'udp' },
    username: 'parley',
    password: 'secret',
    isRegistered: false,
    bindAddress: '127.0.0.1',
    port,
  },
  {
    locate: async () => [{ address: '127.0.0.1', port: peerPort }],
    registration: () => {},
    called: (leg) => {
      leg.accept()
      const ignore = () => {}
      return {
        ringing: ignore,
        answered: ignore,
        audio: ignore,
        digit: ignore,
        played: ignore,
        held: ignore,
        ended: ignore,
      }
    },
  },
)
process.stdout.write('ready\n')
