import { defineWords } from '../../../core/words/define-words.ts'

export const siteWords = defineWords({
  en: {
    connect_web_widget: 'Add chat to your website',
    lead_web_widget:
      'Visitors can message you from any page and get your replies there. They don’t need an account, and you only need to add one line to your pages.',
    connect_website: 'Add a form to your website',
    lead_website:
      'Enquiries arrive in your inbox as a contact and a lead. You can’t reply through the form; answer by phone or email.',
    given: 'Your website',
    try_web_widget: 'Open your website and send a message. It arrives in the inbox.',
    try_website: 'Fill in the form on your website. It arrives in the inbox.',
    site: 'Website address',
    site_where:
      'Such as https://shop.example.com. Only pages on this site can show it. You can add more sites later.',
    name: 'Name',
    name_why: 'For your team. Visitors don’t see it.',
    connect: 'Connect',
    connected: 'Connected. Now add it to your pages.',
    snippet: 'Add it to your website',
    snippet_web_widget:
      'Paste this line before {end} on each page that should show the chat. It uses the page’s language, English or Arabic; set {code} to choose one.',
    snippet_website:
      'Paste this where the form should appear. Add {code} to the end of its address to show it in Arabic.',
    own_form:
      'Or post to this address from your own form or program, as JSON or form data, with the fields name, email, phone and message.',
    no_sites: 'It can’t be shown anywhere yet. Add your website’s address below.',
    look: 'Allowed sites and appearance',
    origins: 'Allowed sites',
    origins_why: 'One per line. Browsers won’t show it anywhere else.',
    accent: 'Colour',
    accent_why: 'Leave empty to use ours. Text on it stays readable.',
    greeting_en: 'Greeting in English',
    greeting_ar: 'Greeting in Arabic',
    greeting_why: 'Leave empty to use the default.',
    asks_name: 'Ask for a name before the first message',
    asks_email: 'Ask for an email address before the first message',
    asked_no: 'No',
    asked_optional: 'Optional',
    asked_required: 'Required',
    asked_why: 'Saved with the conversation. Visitors don’t become contacts.',
    saved: 'Saved',
  },
  ar: {
    connect_web_widget: 'إضافة دردشة إلى موقعك',
    lead_web_widget:
      'يراسلك الزوار من أي صفحة، وتصلهم ردودك فيها بلا حساب. كل ما يلزم سطر واحد في صفحاتك.',
    connect_website: 'إضافة نموذج إلى موقعك',
    lead_website:
      'تصل الاستفسارات إلى محادثاتك مع جهة اتصال وعميل محتمل. لا يمكن الرد عبر النموذج، بل بالهاتف أو البريد.',
    given: 'موقعك',
    try_web_widget: 'افتح موقعك واكتب رسالة، وستظهر في المحادثات.',
    try_website: 'املأ النموذج في موقعك، وستظهر رسالته في المحادثات.',
    site: 'رابط موقعك',
    site_where:
      'مثل https://shop.example.com. لا يظهر إلا في صفحات هذا الموقع، ويمكن إضافة مواقع أخرى لاحقًا.',
    name: 'الاسم',
    name_why: 'لفريقك فقط، ولا يظهر للزوار.',
    connect: 'ربط',
    connected: 'تم الربط. أضفه الآن إلى صفحاتك.',
    snippet: 'إضافته إلى موقعك',
    snippet_web_widget:
      'الصق هذا السطر قبل {end} في كل صفحة تريد فيها الدردشة. تظهر الدردشة بلغة الصفحة، العربية أو الإنجليزية، ويحددها {code}.',
    snippet_website:
      'الصق هذا الكود في مكان ظهور النموذج. أضف {code} إلى نهاية رابطه ليظهر بالعربية.',
    own_form:
      'أو أرسل من نموذج أو برنامج لديك إلى هذا الرابط بصيغة JSON أو كنموذج، بالحقول name وemail وphone وmessage.',
    no_sites: 'لا يُسمح بظهوره في أي موقع بعد: أضف رابط موقعك أدناه.',
    look: 'مكان الظهور والشكل',
    origins: 'المواقع المسموح بها',
    origins_why: 'موقع في كل سطر، ولا يظهر في غيرها.',
    accent: 'اللون',
    accent_why: 'اتركه فارغًا لاستخدام لوننا. يبقى النص فوقه مقروءًا.',
    greeting_en: 'رسالة الترحيب بالإنجليزية',
    greeting_ar: 'رسالة الترحيب بالعربية',
    greeting_why: 'إن تُركت فارغة استُخدمت رسالتنا.',
    asks_name: 'طلب الاسم قبل أول رسالة',
    asks_email: 'طلب البريد قبل أول رسالة',
    asked_no: 'لا',
    asked_optional: 'اختياري',
    asked_required: 'إلزامي',
    asked_why: 'يُحفظ مع المحادثة، ولا يُضاف الزائر إلى جهات الاتصال.',
    saved: 'حُفظ',
  },
})
