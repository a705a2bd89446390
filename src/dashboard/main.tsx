import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './app/queries.ts'
import { router } from './router.tsx'
import { keepTitleAndFocus } from './frame/title-and-focus.ts'
import { partsWords } from './parts/words.ts'
import './theme/fonts.css'
import './theme/mantine.css'
import './theme/tokens.css'
import { fromTokens, themeWith } from './theme/theme.ts'
import { LanguageProvider, useLanguage } from './words/language.ts'
import { useWords } from './words/use-words.tsx'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The library that locks the page behind a dialog reads the nonce by this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

keepTitleAndFocus()

function Dashboard() {
  const { direction, language } = useLanguage()
  const showTyped = useWords(partsWords)('show_typed')
  const theme = useMemo(() => themeWith({ showTyped }), [showTyped])
  // The API's texts are in the language of the interface, so they are read again when it changes.
  useEffect(() => void queries.invalidateQueries(), [language])
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <PageDirection direction={direction} />
      <MantineProvider
        theme={theme}
        cssVariablesResolver={fromTokens}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

/** Sets the direction of Mantine's controls to the page's. */
function PageDirection({ direction }: { direction: 'ltr' | 'rtl' }) {
  const { setDirection } = useDirection()
  useEffect(() => setDirection(direction), [direction, setDirection])
  return null
}

// The first screen needs none of these styles.
void import('./theme/mantine-pages.css')

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <LanguageProvider>
      <Dashboard />
    </LanguageProvider>
  </StrictMode>,
)
