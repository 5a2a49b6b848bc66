import { z } from 'zod'
import type { TalkOptions } from './command-line.js'

export interface TalkAgent {
  readonly id: string
  readonly name: string
  readonly firstMessage: string | null
}

export interface Ticket {
  readonly conversationId: string
  readonly webSocketPath: string
}

/** Returns the response, or throws a one-sentence error with a remedy. */
export type ServiceResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string }

type Service = Pick<TalkOptions, 'url' | 'organizationId' | 'apiKey'>

const exampleTalkAgent = 'Front desk'
const agentsPerPage = 200

const AgentList = z.object({
  items: z.array(
    z.object({ id: z.string(), name: z.string(), firstMessage: z.string().nullable().default(null) }),
  ),
  totalCount: z.number(),
})
const SessionTicket = z.object({ conversationId: z.string(), webSocketPath: z.string() })
const ProblemText = z.object({ detail: z.string() })

/** Finds the agent by name or id. Default: the example agent, otherwise the first one. */
export async function findAgent(service: Service, wanted: string | null): Promise<ServiceResult<TalkAgent>> {
  const agents: TalkAgent[] = []
  for (;;) {
    const path = `/api/v1/Agent?Offset=${agents.length}&Limit=${agentsPerPage}`
    const page = await call(service, path, {}, AgentList)
    if (!page.ok) return page
    agents.push(...page.value.items)
    if (page.value.items.length === 0 || agents.length >= page.value.totalCount) break
  }
  const agent = chooseAgent(agents, wanted)
  if (agent !== undefined) return { ok: true, value: agent }
  if (wanted === null) return refused('The organization has no agents. Create one with POST /api/v1/Agent.')
  const names = agents.map(({ name }) => `"${name}"`).join(', ')
  return refused(`Agent "${wanted}" not found. Available agents: ${names === '' ? 'none' : names}.`)
}

function chooseAgent(agents: readonly TalkAgent[], wanted: string | null): TalkAgent | undefined {
  const name = (wanted ?? exampleTalkAgent).toLowerCase()
  const match = agents.find((agent) => agent.id === name || agent.name.toLowerCase() === name)
  return match ?? (wanted === null ? agents[0] : undefined)
}

export function requestSession(
  service: Service,
  agentId: string,
  conversationId: string | null,
): Promise<ServiceResult<Ticket>> {
  const body = JSON.stringify({ conversationId })
  return call(service, `/api/v1/Agent/${agentId}/realtime-session`, { method: 'POST', body }, SessionTicket)
}

/** The WebSocket URL of the service. */
export function socketAddress({ url }: Service, { webSocketPath }: Ticket): string {
  return `${url.replace(/^http/i, 'ws')}${webSocketPath}`
}

/** The error text of the response, if it has one. */
export function problemText(status: number, body: string): string {
  try {
    const problem = ProblemText.safeParse(JSON.parse(body))
    if (problem.success) return problem.data.detail
  } catch {
    // The response comes from a different server, so only its status is known.
  }
  return `The response status is ${status}.`
}

async function call<Schema extends z.ZodType>(
  { url, organizationId, apiKey }: Service,
  path: string,
  request: RequestInit,
  schema: Schema,
): Promise<ServiceResult<z.output<Schema>>> {
  const headers = { 'X-Org-Id': organizationId, 'X-Api-Key': apiKey, 'Content-Type': 'application/json' }
  const reply = await fetch(`${url}${path}`, { ...request, headers }).catch(() => null)
  if (reply === null)
    return refused(`No service is running at ${url}. Start it with npm start, or pass --url.`)
  const body = await reply.text().catch(() => '')
  if (!reply.ok) return refused(`Request failed: ${problemText(reply.status, body)}`)
  const value = readJson(body, schema)
  if (value === null) return refused(`The server at ${url} is not Parley. Pass the correct --url.`)
  return { ok: true, value }
}

function readJson<Schema extends z.ZodType>(body: string, schema: Schema): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(body)).data ?? null
  } catch {
    return null
  }
}

function refused(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}
