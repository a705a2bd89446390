import { useWords } from '../../words/use-words.tsx'
import type { ChannelGuide } from './channel-guide.ts'
import { ConnectSite, type SiteType } from './ConnectSite.tsx'
import { SitePanels } from './SitePanels.tsx'
import { siteWords } from './site-words.ts'

/** The guide of a channel without a provider, which needs a site and a line in its pages. */
const siteGuide = (type: SiteType): ChannelGuide => ({
  isOurs: true,
  useTexts() {
    const t = useWords(siteWords)
    return {
      connect: t(`connect_${type}`),
      lead: t(`lead_${type}`),
      given: t('given'),
      needed: null,
      tryIt: t(`try_${type}`),
      fields: [],
    }
  },
  Panels: SitePanels,
  Connect: () => <ConnectSite type={type} />,
})

export const webWidgetGuide = siteGuide('web_widget')
export const websiteGuide = siteGuide('website')
