import { Anchor, Button, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { ApiError, type InvitationAcceptance, type PresentedInvitation } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { makeClient } from '../data/client'
import { fieldErrorsOf } from '../data/error-message'
import { ErrorNotice } from '../parts/error-notice'
import { passwordAdvice } from '../parts/password-advice'
import { IssuerButton } from './issuer-button'
import { JoinAsYourself } from './join-as-yourself'
import { readMe } from './read-me'
import { SignInErrorNotice } from './sign-in-error-notice'
import { SignInFrame } from './sign-in-frame'
import { useJoined } from './use-joined'

/** The page of an invitation link or an owner link. */
export function AcceptPage() {
  const { token } = useSearch({ strict: false })
  const invitation = useQuery({
    queryKey: ['presented-invitation', token],
    queryFn: async () => makeClient().invitations.find({ token: token ?? '' }),
    retry: false,
  })
  const me = useQuery({ queryKey: ['me'], queryFn: readMe, retry: false })
  if (invitation.isPending || me.isPending)
    return (
      <SignInFrame title="Loading">
        <Loader aria-label="Loading invitation" />
      </SignInFrame>
    )
  if (invitation.isError)
    return (
      <SignInFrame
        title="Invalid or expired link"
        about="Ask the sender for a new link. The operator creates an owner link with: npx parley owner-link"
      >
        <ErrorNotice error={invitation.error} />
      </SignInFrame>
    )
  // A signed-in user joins with their account, if the link matches its address or is open to everyone.
  const known = me.data ?? null
  const isFor = (email: string | null) => email === null || email === known?.person.email
  if (known !== null && isFor(invitation.data.email))
    return <JoinAsYourself token={token ?? ''} invitation={invitation.data} person={known.person} />
  return <AcceptForm token={token ?? ''} invitation={invitation.data} />
}

function AcceptForm({
  token,
  invitation,
}: {
  readonly token: string
  readonly invitation: PresentedInvitation
}) {
  const { organizationName, email, role, hasAccount } = invitation
  const join = useJoined(organizationName)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [isKnown, setKnown] = useState(hasAccount)
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', name: '', password: '', code: '' },
    validate: {
      ...(email === null && { email: isNotEmpty('Email is required') }),
      ...(!isKnown && { name: isNotEmpty('Name is required') }),
      password: isNotEmpty('Password is required'),
    },
  })

  const submit = form.onSubmit(async (values) => {
    setBusy(true)
    setError(null)
    try {
      await join(await makeClient().invitations.accept(acceptanceOf(token, values)))
    } catch (failure) {
      if (failure instanceof ApiError && failure.errorCode === 'SecondFactorRequired') setNeedsCode(true)
      const atFields = fieldErrorsOf(failure)
      form.setErrors(atFields)
      const isShown =
        Object.keys(atFields).length > 0 && Object.keys(atFields).every((path) => path in values)
      setError(isShown ? null : failure)
    }
    setBusy(false)
  })

  return (
    <SignInFrame
      title={role === 'owner' ? 'Welcome to Parley' : `Join ${organizationName}`}
      about={
        <>
          You will have the role <strong>{role}</strong> in <strong>{organizationName}</strong>.
          {hasAccount && ' You already have an account. Sign in with its password.'}
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {email === null ? (
            <TextInput
              label="Email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
          ) : (
            <Text size="sm">
              Joining as <strong>{email}</strong>
            </Text>
          )}
          {!isKnown && (
            <TextInput
              label="Name"
              description="Shown to other members."
              autoComplete="name"
              required
              withAsterisk={false}
              key={form.key('name')}
              {...form.getInputProps('name')}
            />
          )}
          <PasswordInput
            label="Password"
            {...(!isKnown && { description: passwordAdvice })}
            autoComplete={isKnown ? 'current-password' : 'new-password'}
            required
            withAsterisk={false}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {needsCode && (
            <TextInput
              label="Authentication code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              withAsterisk={false}
              key={form.key('code')}
              {...form.getInputProps('code')}
            />
          )}
          <Button type="submit" loading={isBusy} fullWidth>
            {isKnown ? 'Join' : 'Create account'}
          </Button>
          <SignInErrorNotice error={error} />
          <IssuerButton token={token} />
          {email !== null && !hasAccount && (
            <Text size="xs" c="dimmed">
              Already have an account with this email? <Anchor href="#/sign-in">Sign in</Anchor> first, then
              open this link again.
            </Text>
          )}
          {email === null && (
            <Button variant="subtle" size="compact-sm" onClick={() => setKnown(!isKnown)}>
              {isKnown ? 'Create an account' : 'Use an existing account'}
            </Button>
          )}
        </Stack>
      </form>
    </SignInFrame>
  )
}

function acceptanceOf(
  token: string,
  values: Readonly<Record<'email' | 'name' | 'password' | 'code', string>>,
): InvitationAcceptance {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  return { token, ...Object.fromEntries(given) }
}
