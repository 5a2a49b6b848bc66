import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Style, styleFor } from '@parley/terminal'
import type { Config } from '../../config/config.js'
import type { AnsweringModel } from '../../domain/first-start/answering-model.js'
import type { FirstStart } from '../../domain/first-start/first-start.js'
import { linkOf } from '../../domain/people/members.js'

export interface Terminal {
  readonly isTTY: boolean
  write(text: string): void
}

/**
 * Prints the addresses of the service and, after the first start, the first credentials. With PostgreSQL and
 * without a terminal, the output may be kept in a log. In this case, the credentials are written to a file
 * that only its owner can read.
 */
export async function announce(
  terminal: Terminal,
  config: Config,
  {
    version,
    firstStart,
    answering,
  }: {
    readonly version: string
    readonly firstStart: FirstStart | null
    readonly answering: AnsweringModel | null
  },
): Promise<void> {
  const { publicUrl, database, bootstrap } = config
  const style = styleFor(terminal.isTTY)
  const storage =
    database.kind === 'embedded' ? `${resolve(database.dataDir)} (embedded database)` : 'PostgreSQL'
  const model = describeModel(answering, config)
  terminal.write(describeStart({ version, publicUrl, storage, model }, style))
  if (firstStart === null) return
  const isKeyGiven = bootstrap.apiKey !== null
  const isPrivate = database.kind === 'embedded' || terminal.isTTY
  const describe = (isKept: boolean) =>
    describeFirstStart(firstStart, { publicUrl, isKeyGiven, isKept }, style)
  if (isPrivate || isKeyGiven) {
    terminal.write(describe(!isPrivate))
    return
  }
  const text = describe(false)
  const path = join(resolve(database.dataDir), 'first-start.txt')
  try {
    await writeForOwner(path, text)
    terminal.write(`    Your organization ID and API key are in ${path}\n\n`)
  } catch (error) {
    // The database stores only a hash of the key, so a key that is not printed would be lost.
    const reason = error instanceof Error ? error.message : String(error)
    terminal.write(`    Cannot write ${path} (${reason}), so your credentials are printed here:\n\n${text}`)
  }
}

async function writeForOwner(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, text, { mode: 0o600 })
  await chmod(path, 0o600)
}

export interface WelcomeFacts {
  readonly version: string
  readonly publicUrl: string
  /** Describes where the data is stored. */
  readonly storage: string
  /** The model that answers, then how to change it, one line each. */
  readonly model: readonly string[]
}

/** Returns the text that every start prints. */
function describeStart({ version, publicUrl, storage, model }: WelcomeFacts, style: Style): string {
  return lines(
    '',
    `  ${style('green', '●')} ${style('bold', `Parley ${version}`)} is ready.`,
    '',
    `    Console    ${publicUrl}`,
    `    API        ${publicUrl}/api/v1`,
    `    Reference  ${publicUrl}/docs`,
    `    Data       ${storage}`,
    ...model.map((line, index) =>
      index === 0 ? `    Model      ${line}` : `               ${style('dim', line)}`,
    ),
    '',
  )
}

export interface FirstStartFacts {
  readonly publicUrl: string
  readonly isKeyGiven: boolean
  /** Whether people other than the operator may read the output, now or later. */
  readonly isKept: boolean
}

/** Returns the text that only the first start prints. It omits a key that the operator chose, because logs are kept. */
function describeFirstStart(
  { organizationId, apiKey, ownerToken }: FirstStart,
  { publicUrl, isKeyGiven, isKept }: FirstStartFacts,
  style: Style,
): string {
  const shownKey = isKeyGiven ? '$PARLEY_BOOTSTRAP_API_KEY' : apiKey
  const quote = isKeyGiven ? '"' : "'"
  return lines(
    `    ${style('bold', 'Open the console to become the owner. This link works once and expires in an hour:')}`,
    '',
    isKept ? '    Run npx parley owner-link to get the link' : linkOf(publicUrl, 'owner', ownerToken),
    '',
    `    ${style('bold', 'Your organization ID and API key, shown only once:')}`,
    '',
    `    X-Org-Id   ${organizationId}`,
    `    X-Api-Key  ${isKeyGiven ? 'the value of PARLEY_BOOTSTRAP_API_KEY' : apiKey}`,
    '',
    `    ${style('dim', 'List the two example agents:')}`,
    '',
    `curl -s ${publicUrl}/api/v1/Agent -H 'X-Org-Id: ${organizationId}' -H ${quote}X-Api-Key: ${shownKey}${quote}`,
    '',
    `    ${style('dim', 'Talk to an agent, from a second terminal in this folder:')}`,
    '',
    `PARLEY_ORG_ID='${organizationId}' PARLEY_API_KEY=${quote}${shownKey}${quote} npm run talk -- --url ${publicUrl}`,
    '',
  )
}

function lines(...text: readonly string[]): string {
  return `${text.join('\n')}\n`
}

const settingsForModels = 'OPENAI_API_KEY, ANTHROPIC_API_KEY or PARLEY_CHAT_URL'

/** Returns the model that answers, then how to change it, one line each. */
export function describeModel(
  answering: AnsweringModel | null,
  { environmentProvider, realtime }: Config,
): string[] {
  if (answering === null)
    return [
      'none: the first organization has no default connection',
      'to add one, see docs/reference/configuration.md',
    ]
  const { kind, model, connectionName, baseUrl, isFromEnvironment, isSpokenByEngine } = answering
  if (kind === 'embedded')
    return [
      'demo model (built in, offline, only for trying things out)',
      ...realModelInstructions(environmentProvider, connectionName),
    ]
  const at = `${providerNames[kind] ?? connectionName}${baseUrl === null ? '' : `, ${baseUrl}`}`
  const from = isFromEnvironment && environmentProvider !== null ? ` (${environmentProvider.from})` : ''
  const change = isFromEnvironment
    ? 'to change it, set PARLEY_CHAT_MODEL or the models of the connection'
    : `from the default connection: ${connectionName}`
  if (isSpokenByEngine)
    return model === null
      ? [`none found at ${at}${from}`, 'start the model server and restart Parley, or set PARLEY_CHAT_MODEL']
      : [`${model} at ${at}${from}, with the built-in engine for speech`, change]
  const text = model === null ? 'no text model: set PARLEY_CHAT_MODEL' : `text: ${model}`
  return [`${realtime.model} at ${at}${from}`, text, change]
}

/** Returns how to replace the demo model with a real one. */
function realModelInstructions(provider: Config['environmentProvider'], connectionName: string): string[] {
  const bySetting = `to use a real model, set ${settingsForModels}`
  if (provider === null) return [bySetting]
  if (provider.from === 'OLLAMA_HOST')
    return [`(OLLAMA_HOST is set, but ${provider.baseUrl} lists no models)`, bySetting]
  return [
    `(${provider.from} is set, but the default connection is ${connectionName})`,
    `to use ${provider.from}, PATCH its connection with {"isDefault":true}`,
  ]
}

const providerNames: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  'azure-openai': 'Azure OpenAI',
  anthropic: 'Anthropic',
  'openai-compatible': 'an OpenAI-compatible server',
}
