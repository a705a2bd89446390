import type { ChannelSetupFacts } from '../../core/facts/channel-setup.ts'
import { defineFacts } from '../define-facts.ts'

export const channelSetupFacts = defineFacts<ChannelSetupFacts, 'endpoint'>()({
  en: {
    no_such_channel: 'No channel with this ID.',
    channel_changed:
      'Someone else changed this channel while you were editing. Review it before you save.',
    channel_off_by_member: 'A team member disconnected it.',
    channel_deleted: 'A team member deleted it.',
    channel_account_lost: 'The provider reported: {event}.',
    channel_in_use: {
      text: 'Published flows use this channel: {flows, quoted}{more}. Publish them on another channel, or delete them first.',
      forms: { more: { 0: '', other: ' and {more} more' } },
    },
    channel_country_unknown: 'The number’s country is unknown. Enter it.',
    channel_connected_already:
      'This channel is already connected, here or in another account. Delete it there first.',
    channel_is_another:
      'These details belong to a different channel at the provider. Connect it as a new channel.',
    channel_needs_credentials: 'A different channel at the provider needs its own credentials.',
    channel_credentials_unreadable: {
      text: '{secrets}',
      forms: {
        secrets: {
          0: 'This channel’s saved data couldn’t be read. Save the channel again to start over, or ask the operator of this service.',
          other:
            'The channel’s credentials couldn’t be read. Enter {secrets} again, or ask the operator of this service.',
        },
      },
    },
    simulator_not_running: 'The simulator isn’t running.',
    no_provider_of_type: 'This version doesn’t support {type} channels.',
    type_not_connectable: '{type} channels can’t be connected in this version.',
    risk_not_accepted:
      'WhatsApp doesn’t offer linking by QR code, and may restrict or permanently ban the number. Accept the risk first.',
    qr_bridge_not_set:
      'There’s no bridge for numbers linked by QR code. The operator of this service needs to install it and set WHATSAPP_QR_BRIDGE.',
    qr_bridge_away:
      'The bridge for numbers linked by QR code isn’t responding ({fault}). The operator of this service needs to start it.',
    qr_bridge_strange:
      'The bridge address responds, but not with a compatible bridge. The operator of this service needs to check it.',
    qr_bridge_wrong_secret:
      'The bridge rejected the secret. The operator of this service needs to set WHATSAPP_QR_BRIDGE_SECRET to the bridge’s secret.',
    qr_scan_needed: 'Waiting for the phone. Scan the code under WhatsApp, Linked devices.',
    qr_not_scanned: 'The QR code expired. Reconnect to get a new one.',
    qr_connecting: 'WhatsApp can’t be reached right now ({code}). We keep retrying.',
    qr_logged_out:
      'The phone removed the link, and its keys were deleted here. Reconnect and scan a new code.',
    qr_replaced: 'This link is in use elsewhere. End it there, then reconnect.',
    qr_banned: 'WhatsApp has banned or restricted the number.',
    qr_other_number:
      'A different number scanned the code. This channel belongs to {number}: reconnect and scan with that number, or connect a new channel.',
    qr_number_taken:
      '{number} is already linked to another channel. Delete that channel first, or scan with another number.',
    channel_callback_unreachable:
      'The credentials work, but the provider can’t reach {url}, because it needs a public https URL. The operator of this service sets BASE_URL to one; then enter the new callback URL at the provider.',
    whatsapp_not_subscribed:
      'The number works, but no app is subscribed to its WhatsApp Business account, so Meta doesn’t send customers’ messages. Subscribe your app to the account (POST {endpoint}), then check again.',
    whatsapp_posts_elsewhere:
      'The number works, but Meta sends customers’ messages to another URL, at {origin}. Set the callback URL to {url}, then check again.',
    whatsapp_subscription_unknown:
      'The number works, but WhatsApp does not say whether it posts to this service. The access token needs the permission whatsapp_business_management{said, provider_said} ({providerCode}).',
    telnyx_wrong_key:
      'This isn’t a Telnyx public key. It has 44 characters, ends in = and is found under Keys & Credentials, Public key.',
    telnyx_wrong_api_key: 'Telnyx rejected the API key. Copy one from Keys & Credentials.',
    whatsapp_auth:
      'WhatsApp rejected the access token for this phone number ID{said, provider_said} ({providerCode}).',
    whatsapp_rate:
      'WhatsApp is limiting our requests; try again in a few minutes{said, provider_said} ({providerCode}).',
    whatsapp_billing:
      'WhatsApp needs a billing problem on the business account to be fixed{said, provider_said} ({providerCode}).',
    whatsapp_blocked:
      'WhatsApp has restricted the business account{said, provider_said} ({providerCode}).',
    whatsapp_transient:
      'WhatsApp couldn’t be reached; try again in a minute{said, provider_said} ({providerCode}).',
    whatsapp_content:
      'WhatsApp doesn’t recognise this phone number ID{said, provider_said} ({providerCode}).',
    meta_auth:
      '{product, product} rejected the access token for this ID{said, provider_said} ({providerCode}).',
    meta_rate:
      '{product, product} is limiting our requests; try again in a few minutes{said, provider_said} ({providerCode}).',
    meta_blocked:
      '{product, product} has restricted the account{said, provider_said} ({providerCode}).',
    meta_transient:
      '{product, product} couldn’t be reached; try again in a minute{said, provider_said} ({providerCode}).',
    meta_content:
      '{product, product} doesn’t recognise this ID{said, provider_said} ({providerCode}).',
    meta_app_secret_wrong:
      'The app secret doesn’t belong to the app of this access token. Copy it from that app: App settings, Basic.',
    meta_token_of_another: {
      text: '{product}',
      forms: {
        product: {
          messenger:
            'This access token belongs to another page. Use the token of the page with this page ID.',
          other:
            'This access token belongs to another account. Use the token of the account with this Instagram ID.',
        },
      },
    },
  },
  ar: {
    no_such_channel: 'هذه القناة غير موجودة في المشروع.',
    channel_changed: 'تغيّرت القناة أثناء تعديلك. راجعها مرة أخرى.',
    channel_off_by_member: 'أوقفها أحد الأعضاء.',
    channel_deleted: 'حذفها أحد الأعضاء.',
    channel_account_lost: 'رسالة المزوّد: {event}.',
    channel_in_use: {
      text: 'هذه القناة مستخدمة في مسارات منشورة: {flows, quoted}{more}. انشرها على قناة أخرى أو احذفها أولًا.',
      forms: { more: { 0: '', other: '، و{more} غيرها' } },
    },
    channel_country_unknown: 'دولة الرقم غير معروفة.',
    channel_connected_already: 'هذه القناة مرتبطة بالفعل، هنا أو في حساب آخر. احذفها هناك أولًا.',
    channel_is_another: 'هذه قناة أخرى لدى المزوّد. اربطها كقناة مستقلة.',
    channel_needs_credentials: 'القناة الأخرى لدى المزوّد تحتاج إلى بيانات الدخول.',
    channel_credentials_unreadable: {
      text: '{secrets}',
      forms: {
        secrets: {
          0: 'تعذّرت قراءة ما حُفظ لهذه القناة. احفظها من جديد للبدء من أولها، أو اسأل مشغّل الخدمة.',
          other:
            'تعذّرت قراءة بيانات الدخول لهذه القناة. أدخل {secrets} مرة أخرى، أو اسأل مشغّل الخدمة.',
        },
      },
    },
    simulator_not_running: 'المحاكي متوقف.',
    no_provider_of_type: 'لا يوجد في هذا الإصدار مزوّد لقنوات {type}.',
    type_not_connectable: 'لا يمكن في هذا الإصدار ربط قناة {type}.',
    risk_not_accepted:
      'الربط برمز QR لا يقدّمه واتساب، وقد يقيّد الرقم أو يغلقه نهائيًا. اقبل المخاطر أولًا.',
    qr_bridge_not_set:
      'لا يوجد جسر للأرقام المرتبطة برمز QR: يثبّته مشغّل الخدمة ويضبط WHATSAPP_QR_BRIDGE.',
    qr_bridge_away:
      'لا يستجيب جسر الأرقام المرتبطة برمز QR \u200f({fault}). يلزم أن يشغّله مشغّل الخدمة.',
    qr_bridge_strange:
      'ما يستجيب على عنوان جسر الأرقام المرتبطة ليس جسرًا من هذا الإصدار. يلزم أن يتحقق منه مشغّل الخدمة.',
    qr_bridge_wrong_secret:
      'رفض الجسر المفتاح السري. يلزم أن يضبط مشغّل الخدمة WHATSAPP_QR_BRIDGE_SECRET على مفتاح الجسر.',
    qr_scan_needed: 'بانتظار المسح من الهاتف: امسح الرمز في واتساب، الأجهزة المرتبطة.',
    qr_not_scanned: 'لم يُمسح الرمز في الوقت المحدد. أعد الربط للحصول على رمز جديد.',
    qr_connecting: 'تعذّر الوصول إلى واتساب الآن ({code})، والمحاولات مستمرة.',
    qr_logged_out: 'أُلغي الربط من الهاتف، وحُذفت مفاتيحه هنا. أعد الربط وامسح رمزًا جديدًا.',
    qr_replaced: 'الربط نفسه مستخدم في مكان آخر. أنهِه هناك أولًا، ثم أعد الربط.',
    qr_banned: 'أغلق واتساب الرقم أو قيّده.',
    qr_other_number:
      'مُسح الرمز برقم آخر: هذه القناة للرقم {number}. أعد الربط وامسح الرمز به، أو اربط قناة مستقلة للرقم الآخر.',
    qr_number_taken: 'الرقم {number} مرتبط بقناة أخرى بالفعل. احذفها أولًا، أو امسح الرمز برقم آخر.',
    channel_callback_unreachable:
      'بيانات الدخول صحيحة، لكن المزوّد لا يستطيع الوصول إلى {url}. يلزم رابط https عام يضبطه مشغّل الخدمة في `BASE_URL`، ثم أدخل الرابط الجديد لدى المزوّد.',
    whatsapp_not_subscribed:
      'الرقم يعمل، لكن حساب WhatsApp Business غير مشترك في أي تطبيق، فلا ترسل Meta رسائل العملاء. أضف اشتراك تطبيقك في الحساب (`POST {endpoint}`)، ثم تحقق مرة أخرى.',
    whatsapp_posts_elsewhere:
      'الرقم يعمل، لكن Meta ترسل رسائل العملاء إلى رابط آخر في {origin}. اضبط رابط الاستدعاء على {url}، ثم تحقق مرة أخرى.',
    whatsapp_subscription_unknown:
      'الرقم يعمل، لكن واتساب لا يخبر إن كان يرسل إلى هذه الخدمة. يلزم رمز الوصول الإذن whatsapp_business_management{said, provider_said} ({providerCode}).',
    telnyx_wrong_key:
      'هذا ليس مفتاحًا عامًا من Telnyx: المفتاح من 44 حرفًا آخرها =، وتجده في Keys & Credentials ثم Public key.',
    telnyx_wrong_api_key: 'رفضت Telnyx مفتاح API. خذ مفتاحًا من Keys & Credentials.',
    whatsapp_auth: 'رفض واتساب رمز الوصول لهذا الرقم{said, provider_said} ({providerCode}).',
    whatsapp_rate:
      'لا يقبل واتساب طلبات أخرى الآن؛ أعد المحاولة بعد دقائق{said, provider_said} ({providerCode}).',
    whatsapp_billing:
      'يطلب واتساب تسوية فواتير حساب النشاط التجاري{said, provider_said} ({providerCode}).',
    whatsapp_blocked: 'قيّد واتساب حساب النشاط التجاري{said, provider_said} ({providerCode}).',
    whatsapp_transient:
      'تعذّر الاتصال بواتساب؛ أعد المحاولة بعد دقيقة{said, provider_said} ({providerCode}).',
    whatsapp_content: 'معرّف الرقم هذا غير معروف لدى واتساب{said, provider_said} ({providerCode}).',
    meta_auth:
      'رفض {product, product} رمز الوصول لهذا المعرّف{said, provider_said} ({providerCode}).',
    meta_rate:
      'لا يقبل {product, product} طلبات أخرى الآن؛ أعد المحاولة بعد دقائق{said, provider_said} ({providerCode}).',
    meta_blocked: 'قيّد {product, product} الحساب{said, provider_said} ({providerCode}).',
    meta_transient:
      'تعذّر الاتصال بـ {product, product}؛ أعد المحاولة بعد دقيقة{said, provider_said} ({providerCode}).',
    meta_content:
      'هذا المعرّف غير معروف لدى {product, product}{said, provider_said} ({providerCode}).',
    meta_app_secret_wrong:
      'المفتاح السري ليس لتطبيق رمز الوصول هذا. انسخه من ذلك التطبيق: App settings ثم Basic.',
    meta_token_of_another: {
      text: '{product}',
      forms: {
        product: {
          messenger: 'رمز الوصول لصفحة أخرى. استخدم رمز الصفحة التي لها هذا المعرّف.',
          other: 'رمز الوصول لحساب آخر. استخدم رمز الحساب الذي له معرّف Instagram هذا.',
        },
      },
    },
  },
})
