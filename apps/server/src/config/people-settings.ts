import { issuerUrl } from './address-schemas.js'
import type { SettingTable } from './setting.js'
import { label, oidcScopes, visibleText, wholeNumber } from './setting-schemas.js'

/** How people sign in, and for how long. */
export const peopleSettings = {
  PARLEY_SIGN_IN_IDLE_DAYS: {
    default: '7',
    schema: wholeNumber(1, 365),
    about: 'How long a person stays signed in without a call.',
  },
  PARLEY_SIGN_IN_DAYS: {
    default: '30',
    schema: wholeNumber(1, 365),
    about: 'How long a person stays signed in at most.',
  },
  PARLEY_OIDC_ISSUER: {
    default: null,
    schema: issuerUrl,
    about: 'The OIDC issuer that people can sign in through, private addresses included; needs the next two.',
  },
  PARLEY_OIDC_CLIENT_ID: {
    default: null,
    schema: visibleText,
    about: 'What the issuer calls this service.',
  },
  PARLEY_OIDC_CLIENT_SECRET: {
    default: null,
    schema: visibleText,
    about: 'How this service proves to the issuer that it is the one.',
    holdsSecret: true,
  },
  PARLEY_OIDC_NAME: {
    default: 'Single sign-on',
    schema: label,
    about: 'What the button says that leads to the issuer.',
  },
  PARLEY_OIDC_SCOPES: {
    default: 'openid email profile',
    schema: oidcScopes,
    about: 'What the issuer is asked for.',
  },
} as const satisfies SettingTable
