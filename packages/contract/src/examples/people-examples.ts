import type { z } from 'zod'
import type { CreatedInvitation, Invitation, Member, PresentedInvitation } from '../member.js'
import type {
  OidcRedirect,
  PersonSession,
  RecoveryCodes,
  SignedIn,
  SignInWays,
  TotpSetup,
} from '../person.js'
import { roleScopes } from '../role.js'
import { ids, times } from './hotel.js'

export const member: Member = {
  id: ids.member,
  ...times('2026-11-02T10:14:00.000Z'),
  personId: ids.person,
  email: 'kim@hotel.example.com',
  name: 'Kim Berg',
  role: 'builder',
  hasTotp: true,
}

export const invitation: Invitation = {
  id: ids.invitation,
  ...times('2026-11-02T10:02:00.000Z'),
  email: 'kim@hotel.example.com',
  role: 'builder',
  invitedBy: 'Alex Moor',
  expiresAt: '2026-11-09T10:02:00.000Z',
  acceptedAt: null,
}

export const createdInvitation: z.output<typeof CreatedInvitation> = {
  ...invitation,
  link: 'https://parley.hotel.example.com/#/invitation?token=<43 characters>',
}

export const presentedInvitation: PresentedInvitation = {
  organizationName: 'Blue Hotel',
  email: 'kim@hotel.example.com',
  role: 'builder',
  expiresAt: '2026-11-09T10:02:00.000Z',
  hasAccount: false,
}

export const personSession: PersonSession = {
  id: ids.signIn,
  createdAt: '2026-11-15T08:55:10.402Z',
  lastUsedAt: '2026-11-15T09:12:00.000Z',
  expiresAt: '2026-11-22T09:12:00.000Z',
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  isCurrent: true,
}

export const me: SignedIn = {
  wrongCodes: null,
  person: {
    id: ids.person,
    ...times('2026-11-02T10:14:00.000Z', '2026-11-03T07:30:00.000Z'),
    email: 'kim@hotel.example.com',
    name: 'Kim Berg',
    hasPassword: true,
    hasTotp: true,
    recoveryCodesLeft: 10,
  },
  organizations: [
    {
      id: ids.organization,
      name: 'Blue Hotel',
      memberId: ids.member,
      role: 'approver',
      scopes: [...roleScopes.approver],
    },
  ],
  session: personSession,
}

export const signInWays: SignInWays = {
  password: true,
  oidc: { name: 'Blue Hotel account' },
  isSignedIn: false,
}

export const oidcRedirect: OidcRedirect = {
  url: 'https://id.hotel.example.com/authorize?client_id=parley&response_type=code&state=<43 characters>',
}

export const totpSetup: z.output<typeof TotpSetup> = {
  secret: '<32 letters and digits>',
  uri: 'otpauth://totp/Parley:kim%40hotel.example.com?issuer=Parley&secret=<the same>&algorithm=SHA1&digits=6&period=30',
}

export const recoveryCodes: z.output<typeof RecoveryCodes> = {
  recoveryCodes: ['<4 letters>-<4>-<4>-<4>', '<nine more>'],
}
