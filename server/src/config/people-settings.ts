import type { SettingTable } from './setting.js'
import { wholeNumber } from './setting-schemas.js'

/** How long people stay signed in. */
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
} as const satisfies SettingTable
