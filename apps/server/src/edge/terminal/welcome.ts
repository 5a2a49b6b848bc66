import { styleText } from 'node:util'
import type { FirstStart } from '../../domain/first-start/first-start.js'
import { linkOf } from '../../domain/people/members.js'

export interface WelcomeFacts {
  readonly version: string
  readonly publicUrl: string
  /** Where the data is, in words. */
  readonly storage: string
  /** What answers, and how to change it, a line each. */
  readonly model: readonly string[]
}

type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string

/** Colours for a terminal, plain text for everything else. */
export function styleFor(isTerminal: boolean): Style {
  return isTerminal ? (format, text) => styleText(format, text) : (_format, text) => text
}

/** What every start shows. */
export function describeStart({ version, publicUrl, storage, model }: WelcomeFacts, style: Style): string {
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
export function describeFirstStart(
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
