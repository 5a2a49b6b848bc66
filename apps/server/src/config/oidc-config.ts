import type { SettingValues } from './settings.js'

/** The identity provider that people can sign in with. */
export interface OidcConfig {
  /** The issuer identifier, spelled as the identity provider spells it. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The label of the sign-in button. */
  readonly name: string
  /** The scopes, separated by spaces. */
  readonly scopes: string
}

const needed = ['PARLEY_OIDC_ISSUER', 'PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_CLIENT_SECRET'] as const

/**
 * Requires either all of the needed settings or none, because an incomplete setup would offer a sign-in that
 * fails.
 */
export function oidcErrors(given: Readonly<Record<string, string>>): readonly string[] {
  const isGiven = (name: string) => given[name] !== undefined
  const [first] = needed.filter(isGiven)
  if (first === undefined) return []
  return needed
    .filter((name) => !isGiven(name))
    .map(
      (name) =>
        `${name} is not set, but ${first} is; accepted: ${needed.join(', ')} together, or none of them`,
    )
}

export function oidcConfigOf(values: SettingValues): OidcConfig | null {
  const {
    PARLEY_OIDC_ISSUER: issuer,
    PARLEY_OIDC_CLIENT_ID: clientId,
    PARLEY_OIDC_CLIENT_SECRET: clientSecret,
  } = values
  if (issuer === null || clientId === null || clientSecret === null) return null
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.PARLEY_OIDC_NAME,
    scopes: values.PARLEY_OIDC_SCOPES,
  }
}
