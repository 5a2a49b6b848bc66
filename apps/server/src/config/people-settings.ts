import { issuerUrl } from './address-schemas.js'
import type { SettingTable } from './setting.js'
import { label, oidcScopes, visibleText, wholeNumber } from './setting-schemas.js'

/** How people sign in and how long they stay signed in. */
export const peopleSettings = {
  PARLEY_SIGN_IN_IDLE_DAYS: {
    default: '7',
    schema: wholeNumber(1, 365),
    about: 'How long a person stays signed in without any request.',
  },
  PARLEY_SIGN_IN_DAYS: {
    default: '30',
    schema: wholeNumber(1, 365),
    about: 'The maximum time that a person stays signed in.',
  },
  PARLEY_OIDC_ISSUER: {
    default: null,
    schema: issuerUrl,
    about:
      'The OIDC issuer that people can sign in through. May be a private address. Needs the next two settings.',
  },
  PARLEY_OIDC_CLIENT_ID: {
    default: null,
    schema: visibleText,
    about: 'The client ID of this service at the issuer.',
  },
  PARLEY_OIDC_CLIENT_SECRET: {
    default: null,
    schema: visibleText,
    about: 'The client secret of this service at the issuer.',
    holdsSecret: true,
  },
  PARLEY_OIDC_NAME: {
    default: 'Single sign-on',
    schema: label,
    about: 'The label of the sign-in button for the issuer.',
  },
  PARLEY_OIDC_SCOPES: {
    default: 'openid email profile',
    schema: oidcScopes,
    about: 'The scopes that the service requests from the issuer.',
  },
} as const satisfies SettingTable
