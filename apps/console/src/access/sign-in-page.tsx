import { Alert, Text } from '@mantine/core'
import type { SignedIn } from '@parley/sdk'
import { useFilter } from '../data/use-filter'
import { describeSignInError } from './describe-sign-in-error'
import { IssuerButton } from './issuer-button'
import { SignInForm } from './sign-in-form'
import { SignInFrame } from './sign-in-frame'

export function SignInPage({ onSignedIn }: { readonly onSignedIn: (signedIn: SignedIn) => void }) {
  const [{ error }] = useFilter(['error'])
  return (
    <SignInFrame title="Sign in">
      {error !== undefined && (
        <Alert color="red" role="alert">
          {describeSignInError(error)}
        </Alert>
      )}
      <SignInForm onSignedIn={onSignedIn} />
      <IssuerButton />
      <Text size="xs" c="dimmed">
        No account yet? Ask for an invitation. The operator creates the first account with{' '}
        <code>npx parley owner-link</code>.
      </Text>
    </SignInFrame>
  )
}
