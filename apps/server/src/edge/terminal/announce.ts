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
 * Shows the operator where the service is, and at the first start how to reach it. Beside a server database and
 * without a terminal, somebody else keeps what is printed: then the key goes to a file that its owner alone can read.
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
  const isOperatorsAlone = database.kind === 'embedded' || terminal.isTTY
  const describe = (isKept: boolean) =>
    describeFirstStart(firstStart, { publicUrl, isKeyGiven, isKept }, style)
  if (isOperatorsAlone || isKeyGiven) {
    terminal.write(describe(!isOperatorsAlone))
    return
  }
  const text = describe(false)
  const path = join(resolve(database.dataDir), 'first-start.txt')
  try {
    await writeForOwner(path, text)
    terminal.write(`    Your organization and key are in ${path}\n\n`)
  } catch (error) {
    // Only a hash of the key is stored: kept nowhere else it would be lost, and with it the way in.
    const reason = error instanceof Error ? error.message : String(error)
    terminal.write(`    ${path} cannot be written (${reason}), so this stands here:\n\n${text}`)
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
  /** Where the data is, in words. */
  readonly storage: string
  /** What answers, and how to change it, a line each. */
  readonly model: readonly string[]
}

/** What every start shows. */
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
  /** Whether others than the operator may read what is shown, now or later. */
  readonly isKept: boolean
}

/** What the first start shows besides, once. A key that the operator chose is not repeated: logs are kept. */
function describeFirstStart(
  { organizationId, apiKey, ownerToken }: FirstStart,
  { publicUrl, isKeyGiven, isKept }: FirstStartFacts,
  style: Style,
): string {
  const shownKey = isKeyGiven ? '$PARLEY_BOOTSTRAP_API_KEY' : apiKey
  const quote = isKeyGiven ? '"' : "'"
  return lines(
    `    ${style('bold', 'Open the console. Whoever opens this first, within an hour, becomes its owner:')}`,
    '',
    isKept ? '    npx parley owner-link prints the link' : linkOf(publicUrl, 'owner', ownerToken),
    '',
    `    ${style('bold', 'Your organization and key, shown this once:')}`,
    '',
    `    X-Org-Id   ${organizationId}`,
    `    X-Api-Key  ${isKeyGiven ? 'as in PARLEY_BOOTSTRAP_API_KEY' : apiKey}`,
    '',
    `    ${style('dim', 'Two example agents are waiting. Paste this to meet them:')}`,
    '',
    `curl -s ${publicUrl}/api/v1/Agent -H 'X-Org-Id: ${organizationId}' -H ${quote}X-Api-Key: ${shownKey}${quote}`,
    '',
    `    ${style('dim', 'To talk to one of them, paste this into a second terminal, in this folder:')}`,
    '',
    `ORG='${organizationId}' KEY=${quote}${shownKey}${quote} npm run talk -- --url ${publicUrl}`,
    '',
  )
}

function lines(...text: readonly string[]): string {
  return `${text.join('\n')}\n`
}

const settingsForModels = 'OPENAI_API_KEY, ANTHROPIC_API_KEY or PARLEY_CHAT_URL'

/** Which model answers, and how to change it: a line each. */
export function describeModel(
  answering: AnsweringModel | null,
  { environmentProvider, realtime }: Config,
): string[] {
  if (answering === null)
    return [
      'none: the first organization has no default connection',
      'make one: docs/reference/configuration.md',
    ]
  const { kind, model, connectionName, baseUrl, isFromEnvironment, isSpokenByEngine } = answering
  if (kind === 'embedded')
    return ['built-in: small, offline, and it says so', ...wayToReal(environmentProvider, connectionName)]
  const at = `${providerNames[kind] ?? connectionName}${baseUrl === null ? '' : `, ${baseUrl}`}`
  const from = isFromEnvironment && environmentProvider !== null ? ` (${environmentProvider.from})` : ''
  const change = isFromEnvironment
    ? 'another one: PARLEY_CHAT_MODEL, or models of the connection'
    : `chosen as the default connection: ${connectionName}`
  if (isSpokenByEngine)
    return model === null
      ? [
          `none yet at ${at}${from}`,
          'it lists none, or does not answer: start it, then Parley again, or name a model with PARLEY_CHAT_MODEL',
        ]
      : [`${model} at ${at}${from}; the built-in engine speaks for it`, change]
  const text = model === null ? 'no text model yet: name one with PARLEY_CHAT_MODEL' : `text: ${model}`
  return [`${realtime.model} at ${at}${from}`, text, change]
}

/** How the built-in model is left for a real one. */
function wayToReal(provider: Config['environmentProvider'], connectionName: string): string[] {
  const bySetting = `for a real one, set ${settingsForModels}`
  if (provider === null) return [bySetting]
  if (provider.from === 'OLLAMA_HOST')
    return [`(OLLAMA_HOST: no model is listed at ${provider.baseUrl})`, bySetting]
  return [
    `(${provider.from} is set, but somebody chose the default connection: ${connectionName})`,
    'for that one, PATCH its connection with {"isDefault":true}',
  ]
}

const providerNames: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  'azure-openai': 'Azure OpenAI',
  anthropic: 'Anthropic',
  'openai-compatible': 'an OpenAI-compatible server',
}
