import type { Credentials } from '../api-client.js'
import { runCurl } from './run-curl.js'

export interface WelcomeText extends Credentials {
  readonly curlLine: string
  readonly talkLine: string
}

/** The output of a first start. */
export function readWelcome(text: string): WelcomeText {
  const found = (pattern: RegExp) => {
    const match = pattern.exec(text)?.[1]
    if (match === undefined) throw new Error(`There is no ${pattern} in: ${text}`)
    return match
  }
  return {
    organizationId: found(/^ +X-Org-Id +(\S+)/m),
    apiKey: found(/^ +X-Api-Key +(.*\S)/m),
    curlLine: found(/^(curl .*\S)/m),
    talkLine: found(/^(PARLEY_ORG_ID=.*\S)/m),
  }
}

/** Runs the command line that the output shows, as a person does, and returns its result. */
export async function paste(
  curlLine: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly items: readonly { readonly name: string }[] }> {
  const [answer = ''] = await runCurl(curlLine, env)
  return JSON.parse(answer)
}
