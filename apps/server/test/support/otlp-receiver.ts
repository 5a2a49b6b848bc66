import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { closeAfterwards } from './close-afterwards.js'

const Value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  boolValue: z.boolean().optional(),
  arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
})
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, plain(value)])))
const hexOf = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))

/** The collector's input in OTLP's JSON format. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: hexOf(32),
              spanId: hexOf(16),
              parentSpanId: z.union([hexOf(16), z.literal('')]).optional(),
              name: z.string(),
              kind: z.int(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes: Attributes,
              status: z.object({ code: z.int().optional(), message: z.string().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
})

export type ReceivedSpan = z.output<
  typeof Export
>['resourceSpans'][number]['scopeSpans'][number]['spans'][number] & {
  readonly resource: Readonly<Record<string, unknown>>
}

/** A collector of traces on a real port that parses its input. */
export interface OtlpReceiver {
  readonly url: string
  /** Every span so far. */
  readonly spans: readonly ReceivedSpan[]
  close(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    if (`${incoming.method} ${incoming.url}` !== 'POST /v1/traces') return response.writeHead(404).end()
    for (const { resource, scopeSpans } of Export.parse(JSON.parse(body)).resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, resource: resource.attributes })
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: closeAfterwards(async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }),
  }
}

function plain({ stringValue, intValue, boolValue, arrayValue }: z.output<typeof Value>): unknown {
  if (intValue !== undefined) return Number(intValue)
  return stringValue ?? boolValue ?? arrayValue?.values.map((value) => value.stringValue)
}
