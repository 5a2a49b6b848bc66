import {
  type Agent,
  builtInVariables,
  type FieldError,
  replaceVariables,
  type TemplateVariable,
  type Variables,
  variablesOf,
} from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-stores.js'
import type { ConversationRecord } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import type { Clock } from '../../ports/time.js'
import type { VariableValues } from '../../ports/tool-executor.js'
import { invalidRequest } from '../domain-error.js'

type DeclaringAgent = Pick<Agent, 'variables'>

/** What the variables of a template are read from. */
export interface ValueSource {
  readonly agent: DeclaringAgent
  readonly given: Readonly<Variables>
  /** Null if a user tries a tool outside of a conversation. */
  readonly conversation: TemplateConversation | null
  /** The name of the end user, or null. */
  readonly endUserName: string | null
}

export type TemplateConversation = Pick<
  ConversationRecord,
  'id' | 'organizationId' | 'endUserId' | 'externalUserId'
>

/** Returns a function that returns the value of a variable, or an empty string if it has none. */
export function valuesOf(
  clock: Clock,
  { agent, given, conversation, endUserName }: ValueSource,
): VariableValues {
  const builtIn: Record<string, string | null> = {
    'endUser.externalId': conversation?.externalUserId ?? null,
    'endUser.name': endUserName,
    'conversation.id': conversation?.id ?? null,
    now: clock.now().toISOString(),
  }
  return ({ name, fallback }) => {
    if (Object.hasOwn(builtIn, name)) return builtIn[name] ?? fallback ?? ''
    if (Object.hasOwn(given, name)) return given[name] ?? ''
    return agent.variables.find((declared) => declared.name === name)?.default ?? fallback ?? ''
  }
}

/** Like `valuesOf`. Reads the end user of the conversation. */
export async function loadValues(
  clock: Clock,
  stores: Stores,
  { agent, given, conversation }: Omit<ValueSource, 'endUserName'>,
): Promise<VariableValues> {
  const endUser =
    conversation === null || conversation.endUserId === null
      ? null
      : await stores.endUsers.find(conversation.organizationId, conversation.endUserId)
  return valuesOf(clock, { agent, given, conversation, endUserName: endUser?.name ?? null })
}

interface ConversationSource {
  readonly agent: DeclaringAgent & Pick<AgentRecord, 'organizationId'>
  /** Null if a user tries a tool outside of a conversation. */
  readonly conversationId: string | null
  /** The values if there is no conversation. */
  readonly given?: Readonly<Variables> | undefined
}

/** Reads a conversation. Returns the values that callers sent with it, and those of all variables. */
export async function loadConversationValues(
  clock: Clock,
  stores: Stores,
  { agent, conversationId, given: alone = {} }: ConversationSource,
): Promise<{ readonly given: Readonly<Variables>; readonly values: VariableValues }> {
  const conversation =
    conversationId === null ? null : await stores.conversations.find(agent.organizationId, conversationId)
  const given = conversation?.variables ?? alone
  return { given, values: await loadValues(clock, stores, { agent, conversation, given }) }
}

export function hasVariables(...templates: readonly string[]): boolean {
  return templates.some((template) => variablesOf(template).length > 0)
}

/** Fills a text for a model. */
export function fillText(template: string, values: VariableValues): string {
  return replaceVariables(template, values)
}

/** Returns the names of the agent's required variables that have neither a value nor a default. */
export function missingVariables({ variables }: DeclaringAgent, given: Variables): string[] {
  return variables
    .filter((each) => each.required && each.default === null && !Object.hasOwn(given, each.name))
    .map(({ name }) => name)
}

/** Throws if a required variable of the agent has no value. */
export function requireVariables(agent: DeclaringAgent, given: Variables): void {
  const missing = missingVariables(agent, given)
  if (missing.length > 0)
    throw invalidRequest(
      missing.map((name) => ({ path: `variables.${name}`, message: 'is required by the agent' })),
    )
}

/** A text of an agent that may contain variables, and its path in the agent. */
export interface AgentTemplate {
  readonly path: string
  readonly template: string
}

const builtInNames: ReadonlySet<string> = new Set(builtInVariables)

/** Returns an error for each variable in the templates that nothing gives a value to. */
export function undeclaredVariables(
  { variables }: DeclaringAgent,
  templates: readonly AgentTemplate[],
): FieldError[] {
  const isKnown = ({ name, fallback }: TemplateVariable) =>
    fallback !== null || builtInNames.has(name) || variables.some((declared) => declared.name === name)
  return templates.flatMap(({ path, template }) =>
    variablesOf(template)
      .filter((each) => !isKnown(each))
      .map(({ name }) => ({
        path,
        message: `{{${name}}} is not declared in variables and has no default`,
      })),
  )
}
