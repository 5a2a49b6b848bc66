import { Button } from '@mantine/core'
import type { Person, PresentedInvitation } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { makeClient } from '../data/client'
import { ErrorNotice } from '../parts/error-notice'
import { SignInFrame } from './sign-in-frame'
import { useJoined } from './use-joined'

interface JoinAsYourselfProps {
  readonly token: string
  readonly invitation: PresentedInvitation
  readonly person: Person
}

/** Joins with one click if the user is already signed in. */
export function JoinAsYourself({
  token,
  invitation: { organizationName, role },
  person,
}: JoinAsYourselfProps) {
  const join = useJoined(organizationName)
  const accept = useMutation({
    mutationFn: async () => join(await makeClient().invitations.accept({ token })),
  })
  return (
    <SignInFrame
      title={`Join ${organizationName}`}
      about={
        <>
          You are signed in as <strong>{person.email}</strong>. Your role will be <strong>{role}</strong>.
        </>
      }
    >
      {accept.error !== null && <ErrorNotice error={accept.error} />}
      <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
        Join
      </Button>
    </SignInFrame>
  )
}
