// Receives Parley's webhooks and verifies their signatures. It has no dependencies.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

if (!process.env.WEBHOOK_SECRET) {
  console.error('Set the environment variable WEBHOOK_SECRET (see README.md).')
  process.exit(1)
}
const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')

function isGenuine({ 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': given = '' }, body) {
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) return false // An old timestamp may be a replay attack.
  const right = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest()
  const signatures = given.split(' ').map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
  return signatures.some((one) => one.length === right.length && timingSafeEqual(one, right))
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  response.writeHead(204).end() // Respond first: a delivery that takes longer than 10 seconds is repeated.
  console.log(request.headers['webhook-id'], JSON.parse(body).type)
})
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
)
