import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { AuthenticationError } from '@parley/sdk'
import { MutationCache, QueryCache, type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { signedOut } from '../access/sign-in-state'
import { makeQueryClient } from '../data/query-client'
import { nonce } from './nonce'
import { router } from './router'
import { theme } from './theme'

export function App() {
  const [queries] = useState(watchedClient)
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      {/* At the top center, notifications cover neither navigation, composer nor buttons of forms. */}
      <Notifications position="top-center" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Any call can discover that the session has ended. */
function watchedClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof AuthenticationError && error.errorCode === 'Unauthenticated') signedOut.set(true)
  }
  return makeQueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
  })
}
