import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { ApiError, type SignedIn } from '@parley/sdk'
import { useState } from 'react'
import { makeClient } from '../data/client'
import { SignInErrorNotice } from './sign-in-error-notice'

interface SignInFormProps {
  readonly onSignedIn: (signedIn: SignedIn) => void
  /** The user whose session has ended, if a user was signed in. */
  readonly email?: string
}

export function SignInForm({ onSignedIn, email = '' }: SignInFormProps) {
  const [error, setError] = useState<unknown>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email, password: '', code: '' },
    validate: { email: isNotEmpty('Email is required'), password: isNotEmpty('Password is required') },
  })

  const submit = form.onSubmit(async ({ code, ...values }) => {
    setBusy(true)
    setError(null)
    try {
      onSignedIn(await makeClient().me.signIn({ ...values, ...(code !== '' && { code }) }))
    } catch (failure) {
      const asksForCode = failure instanceof ApiError && failure.errorCode === 'SecondFactorRequired'
      if (asksForCode) setNeedsCode(true)
      setError(asksForCode && !needsCode ? null : failure)
    }
    setBusy(false)
  })

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={email === ''}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={email !== ''}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {needsCode && (
          <TextInput
            label="Authentication code"
            description="6-digit code from your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            withAsterisk={false}
            autoFocus
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          Sign in
        </Button>
        <SignInErrorNotice error={error} />
      </Stack>
    </form>
  )
}
