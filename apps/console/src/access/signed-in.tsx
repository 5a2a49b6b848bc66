import { Button, Center, Loader, Modal, Stack } from '@mantine/core'
import { AuthenticationError, type SignedIn as Me } from '@parley/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { chooseMembership, mayIn, rememberOrganization } from '../data/access'
import { makeClient } from '../data/client'
import { type ConsoleContext, ConsoleScope } from '../data/console-context'
import { ErrorNotice } from '../parts/error-notice'
import { readMe } from './read-me'
import { SignInForm } from './sign-in-form'
import { SignInFrame } from './sign-in-frame'
import { SignInPage } from './sign-in-page'
import { signedOut, useSignedOut } from './sign-in-state'

/** Shows its children to signed-in people, and the sign-in page to others. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const me = useQuery({
    queryKey: ['me'],
    queryFn: async () => {
      const found = await readMe()
      const before = queries.getQueryData<Me | null>(['me']) ?? null
      if (found !== null || before === null) return found
      // The session has ended, but the page stays open so that unsaved input is kept.
      signedOut.set(true)
      return before
    },
    staleTime: 60_000,
    retry: (failures, error) => !(error instanceof AuthenticationError) && failures < 5,
  })
  const accept = (signedIn: Me) => {
    queries.setQueryData(['me'], signedIn)
    signedOut.set(false)
    void queries.invalidateQueries()
  }
  if (me.data === null) return <SignInPage onSignedIn={accept} />
  if (me.data !== undefined)
    return (
      <Organization me={me.data} onSignedIn={accept}>
        {children}
      </Organization>
    )
  if (me.isPending)
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return (
    <SignInFrame title="Service unavailable">
      <ErrorNotice error={me.error} onRetry={() => void me.refetch()} />
    </SignInFrame>
  )
}

interface OrganizationProps {
  readonly me: Me
  readonly onSignedIn: (signedIn: Me) => void
  readonly children: ReactNode
}

function Organization({ me, onSignedIn, children }: OrganizationProps) {
  const queries = useQueryClient()
  const isSignedOut = useSignedOut()
  const [chosenId, setChosenId] = useState(() => chooseMembership(me)?.id)
  const membership = me.organizations.find(({ id }) => id === chosenId) ?? me.organizations[0] ?? null
  const organizationId = membership?.id
  const parley = useMemo(() => makeClient(organizationId), [organizationId])
  const readFor = useRef(organizationId)
  // A removed member also gets here: data of that organization is dropped.
  useEffect(() => {
    if (readFor.current === organizationId) return
    readFor.current = organizationId
    void queries.resetQueries({ predicate: isOfOrganization })
  }, [organizationId, queries])

  if (membership === null) return <NowhereMember me={me} />
  const context: ConsoleContext = {
    parley,
    person: me.person,
    signedIn: me,
    membership,
    may: (scope) => mayIn(membership, scope),
    switchOrganization: (id) => {
      rememberOrganization(id)
      setChosenId(id)
      // Cached data belongs to the previous organization.
      queries.removeQueries({ predicate: isOfOrganization })
    },
    refresh: () => queries.invalidateQueries({ queryKey: ['me'] }),
  }
  return (
    <ConsoleScope value={context}>
      {children}
      {/* The page stays open behind the dialog, so that unsaved input is kept. */}
      <Modal
        opened={isSignedOut}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnEscape={false}
        zIndex={500}
        title="Your session has ended. Sign in to continue."
      >
        <SignInForm onSignedIn={onSignedIn} email={me.person.email} />
      </Modal>
    </ConsoleScope>
  )
}

const isOfOrganization = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== 'me'

function NowhereMember({ me }: { readonly me: Me }) {
  const queries = useQueryClient()
  const leave = async () => {
    await makeClient().me.signOut()
    await queries.resetQueries({ queryKey: ['me'] })
  }
  return (
    <SignInFrame
      title="No organization"
      about={`${me.person.email} is not a member of any organization. Ask for an invitation.`}
    >
      <Stack>
        <Button variant="default" onClick={() => void leave()}>
          Sign out
        </Button>
      </Stack>
    </SignInFrame>
  )
}
