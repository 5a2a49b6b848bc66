import { Text } from '@mantine/core'
import type { SignedIn } from '@parley/sdk'
import { DoorFrame } from './door-frame'
import { SignInForm } from './sign-in-form'

export function SignInPage({ onSignedIn }: { readonly onSignedIn: (signedIn: SignedIn) => void }) {
  return (
    <DoorFrame title="Sign in">
      <SignInForm onSignedIn={onSignedIn} />
      <Text size="xs" c="dimmed">
        No account yet? You need an invitation. The operator makes the first one with{' '}
        <code>npx parley owner-link</code>.
      </Text>
    </DoorFrame>
  )
}
