import { isDeepStrictEqual } from 'node:util'
import {
  AgentEntry,
  AgentToolInput,
  BudgetEntry,
  ConnectionEntry,
  PhoneConnectionEntry,
  PhoneNumberEntry,
  WebhookEntry,
} from '@parley/contract'
import type { Parley } from '@parley/sdk'
import { Document } from 'yaml'
import type { z } from 'zod'
import { escapeVariables, soundsSecret } from './environment-values.js'
import { type Form, type KindName, kindNames } from './managed-kinds.js'
import { type PresentResource, type PresentState, readPresentState } from './present-state.js'

const entrySchemas: Readonly<Record<KindName, z.ZodObject>> = {
  connections: ConnectionEntry,
  agents: AgentEntry,
  webhooks: WebhookEntry,
  budgets: BudgetEntry,
  phoneConnections: PhoneConnectionEntry,
  phoneNumbers: PhoneNumberEntry,
}

export interface ExportRequest {
  /** The name of the set in the file. */
  readonly set: string
  /** The address of the schema, for editors. */
  readonly schemaUrl: string
}

/**
 * Returns the organization's resources as a file that `parley apply` reads. Secrets become variables,
 * because the service never returns them. So do URL parameters whose names suggest a secret.
 */
export async function exportFile(parley: Parley, { set, schemaUrl }: ExportRequest): Promise<string> {
  const present = await readPresentState(parley, new Set(kindNames))
  const chosen = chooseNames(present)
  const nameOf = (kind: KindName, id: string) => chosen.get(`${kind} ${id}`) ?? id
  const content = Object.fromEntries(
    kindNames.flatMap((kind) => {
      const resources = [...(present.get(kind) ?? [])].reverse()
      if (resources.length === 0) return []
      const entries = resources.map((resource) => {
        const name = nameOf(kind, resource.id)
        const form = withoutGone(kind, resource.formWith(nameOf), chosen)
        return [name, entryOf(resource, name, form)] as const
      })
      return [[kind, Object.fromEntries(entries)]]
    }),
  )
  const document = new Document({ set, ...content })
  return `# yaml-language-server: $schema=${schemaUrl}\n${document.toString({ lineWidth: 120 })}`
}

/** Returns a name for each resource: its external id, or a unique one derived from its name. */
function chooseNames(present: PresentState): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>()
  for (const [kind, resources] of present) {
    const taken = new Set(resources.map(({ externalId }) => externalId))
    for (const { id, name, externalId } of [...resources].reverse()) {
      const wanted = externalId ?? freeName(slugOf(name) || kind.slice(0, -1), taken)
      taken.add(wanted)
      chosen.set(`${kind} ${id}`, wanted)
    }
  }
  return chosen
}

/** Removes references to deleted resources. The service keeps them, but a file must not contain them. */
function withoutGone(kind: KindName, form: Form, chosen: ReadonlyMap<string, string>): Form {
  const known = new Set(chosen.values())
  const lists = ['subAgents', 'agents'].flatMap((field) => {
    const names = form[field]
    return Array.isArray(names) ? [[field, names.filter((name) => known.has(name))] as const] : []
  })
  const isAgentGone = kind === 'phoneNumbers' && typeof form.agent === 'string' && !known.has(form.agent)
  return { ...form, ...Object.fromEntries(lists), ...(isAgentGone && { agent: null }) }
}

function freeName(wanted: string, taken: ReadonlySet<string | null>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`
    if (!taken.has(name)) return name
  }
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
}

function entryOf(resource: PresentResource, name: string, form: Form): object {
  const { kind, id, externalId, secretFields } = resource
  const secrets = secretFields.map((field) => [field, variable([name, field.replace(/[A-Z]/, ' $&')])])
  return {
    ...(externalId === null && { id }),
    ...withoutDefaults(withVariables(form, [name]), entrySchemas[kind].shape),
    ...Object.fromEntries(secrets),
  }
}

/** Leaves out fields that have their default value. */
function withoutDefaults(form: Form, shape: Readonly<Record<string, z.ZodType>>): Form {
  const said = Object.entries(form).flatMap(([name, value]) => {
    const kept = tidied(name, value)
    const unsaid = shape[name]?.safeParse(undefined)
    return unsaid?.success === true && isDeepStrictEqual(unsaid.data, kept) ? [] : [[name, kept] as const]
  })
  return Object.fromEntries(said)
}

function tidied(name: string, value: unknown): unknown {
  if (name === 'tools' && Array.isArray(value)) return value.map(tidiedTool)
  return name === 'models' || name === 'request' || name === 'server' ? withoutNothing(value) : value
}

function tidiedTool(tool: Form): Form {
  const option = AgentToolInput.options.find(({ shape }) => shape.kind.value === tool.kind)
  return option === undefined ? tool : withoutDefaults(tool, option.shape)
}

/** Leaves out null and empty objects, which are defaults of the service. */
function withoutNothing(value: unknown): unknown {
  const fields = Object.entries(Object(value)).filter(
    ([, field]) => field !== null && !isDeepStrictEqual(field, {}),
  )
  return Object.fromEntries(fields)
}

/** Replaces secrets with variables that are named after their path. Other text stays unchanged. */
function withVariables(form: Form, way: readonly string[]): Form {
  const fields = Object.entries(form).map(([name, value]) => {
    if (name === 'headerNames' && Array.isArray(value)) {
      const headers = value.map(String).map((header) => [header, variable([...way, header])] as const)
      return ['headers', Object.fromEntries(headers)] as const
    }
    const below = structural.has(name) ? way : [...way, name]
    return [name, valueWithVariables(value, below, name)] as const
  })
  return Object.fromEntries(fields)
}

/** Omitted from variable names to keep them short. */
const structural: ReadonlySet<string> = new Set(['tools', 'request', 'server', 'query'])

function valueWithVariables(value: unknown, way: readonly string[], key: string): unknown {
  if (typeof value === 'string') return textWithVariables(value, way)
  if (Array.isArray(value)) return value.map((item) => valueWithVariables(item, wayTo(item, way), key))
  if (typeof value !== 'object' || value === null) return value
  if (key !== 'query') return withVariables({ ...value }, way)
  const entries = Object.entries(value).map(([name, item]) => {
    const isSecret = soundsSecret(name) && typeof item === 'string' && !item.includes('{')
    return [name, isSecret ? variable([...way, name]) : valueWithVariables(item, [...way, name], '')] as const
  })
  return Object.fromEntries(entries)
}

function wayTo(item: unknown, way: readonly string[]): readonly string[] {
  const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : null
  return typeof name === 'string' ? [...way, name] : way
}

const secretParameter = /([?&]([^=&#\s]+)=)([^&#\s{}]+)/g

function textWithVariables(text: string, way: readonly string[]): string {
  const plain = escapeVariables(text)
  if (!/^https?:/.test(text)) return plain
  return plain.replaceAll(secretParameter, (all, head: string, name: string) =>
    soundsSecret(name) ? `${head}${variable([...way, name])}` : all,
  )
}

/** `${env:FRONT_DESK_FIND_BOOKING_AUTHORIZATION}` */
function variable(way: readonly string[]): string {
  const name = way
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
  return `\${env:${/^\d/.test(name) ? `_${name}` : name}}`
}
