// Ordinary sentences whose language is known, written for this: the length of a teaser or a snippet,
// about things that pages are about. Small on purpose; pages with truth say more (--truth).

export const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'The town library opens an hour later this winter, and nobody has told the children yet.',
    'How we moved four hundred servers in one night without losing a single order.',
    'Add the flour slowly, stir until no lumps remain, then leave the dough somewhere warm.',
    'Residents say the new bus line saves them twenty minutes, but only when it runs.',
  ],
  id: [
    'Pemerintah kota akan memperbaiki tiga jembatan lama sebelum musim hujan tiba.',
    'Harga cabai di pasar tradisional naik lagi, pedagang mengaku kesulitan mendapat pasokan.',
    'Cara merawat tanaman hias agar tetap segar meskipun jarang disiram.',
    'Anak-anak itu belajar membaca di perpustakaan keliling setiap hari Sabtu.',
    'Dokter mengingatkan warga supaya minum air putih yang cukup selama cuaca panas.',
    'Gue baru nyobain kameranya kemarin, hasilnya lumayan tapi baterainya cepat habis.',
  ],
  ms: [
    'Pihak polis telah menahan dua orang lelaki yang dipercayai terbabit dalam kejadian itu.',
    'Mesyuarat tersebut akan diadakan pada hari Isnin kerana pengerusi berada di luar negara.',
    'Syarikat tempatan boleh memohon bantuan itu selepas borang dihantar kepada pejabat daerah.',
  ],
  de: [
    'Der Bahnhof wird im nächsten Jahr umgebaut, und die Züge halten so lange am alten Güterbahnhof.',
    'Wer im Herbst Tulpen pflanzt, sollte die Zwiebeln nicht zu dicht nebeneinander setzen.',
    'Nach zwei Jahren Pause ist das Straßenfest zurück, größer und lauter als zuvor.',
  ],
  fr: [
    'La mairie a décidé de fermer le pont pendant les travaux, ce qui inquiète les commerçants.',
    'Pour réussir une pâte légère, il faut laisser reposer la farine avec un peu de beurre froid.',
    "Les élèves ont planté une centaine d'arbres derrière l'école au début du printemps.",
  ],
  es: [
    'El ayuntamiento aprobó ayer el nuevo carril para bicicletas, aunque no todos los vecinos están contentos.',
    'Antes de pintar la pared conviene limpiarla bien y dejar que se seque durante un día entero.',
    'Los pescadores volvieron al puerto sin nada porque el agua estaba demasiado fría.',
  ],
  pt: [
    'A prefeitura anunciou que as obras na avenida principal só vão terminar no fim do ano.',
    'Não é preciso comprar ferramentas caras para consertar uma bicicleta em casa.',
    'Depois da chuva, os moradores saíram para ver até onde o rio tinha subido.',
  ],
  it: [
    'Il comune ha riaperto il vecchio mercato coperto dopo tre anni di lavori.',
    'Prima di cuocere la pizza bisogna lasciare riposare la pasta almeno sei ore.',
    'Gli abitanti della valle chiedono più treni per chi lavora in città.',
  ],
  nl: [
    'De gemeente wil de oude brug vervangen, maar daar is voorlopig geen geld voor.',
    'Wie op de fiets naar het werk gaat, krijgt vanaf volgend jaar een kleine vergoeding.',
    'Het museum blijft deze zomer een uur langer open omdat er zoveel bezoekers komen.',
  ],
  sv: [
    'Kommunen bygger en ny skola vid sjön, och den ska vara klar om två år.',
    'Det går att odla tomater på balkongen om man vattnar ofta och inte har för mycket vind.',
    'Efter stormen var flera vägar stängda eftersom träd hade fallit över dem.',
  ],
  da: [
    'Kommunen vil bygge flere cykelstier, men det kommer til at tage mange år.',
    'Hvis man vil bage et godt brød, skal dejen have lov til at hæve natten over.',
    'Efter stormen var flere veje lukket, fordi der var faldet træer ned over dem.',
  ],
  fi: [
    'Kaupunki rakentaa uuden koulun järven rannalle, ja sen pitäisi valmistua kahden vuoden päästä.',
    'Myrskyn jälkeen monta tietä oli suljettu, koska puita oli kaatunut niiden yli.',
    'Leivästä tulee parempaa, kun taikinan antaa nousta yön yli viileässä.',
  ],
  pl: [
    'Miasto chce zbudować nowy most, ale mieszkańcy boją się, że prace potrwają zbyt długo.',
    'Zanim zaczniesz malować ścianę, trzeba ją dobrze umyć i poczekać, aż wyschnie.',
    'Po burzy kilka dróg było zamkniętych, ponieważ leżały na nich drzewa.',
  ],
  cs: [
    'Město chce postavit nový most, ale obyvatelé se bojí, že práce budou trvat příliš dlouho.',
    'Než začnete malovat, je potřeba stěnu dobře umýt a nechat ji uschnout.',
    'Po bouřce bylo několik silnic uzavřeno, protože na nich ležely stromy.',
  ],
  hu: [
    'A város új hidat akar építeni, de a lakók attól félnek, hogy túl sokáig fog tartani.',
    'A vihar után több út is le volt zárva, mert fák dőltek rájuk.',
    'A jó kenyérhez a tésztát egész éjszaka hűvös helyen kell hagyni.',
  ],
  ro: [
    'Primăria vrea să construiască un pod nou, dar locuitorii se tem că lucrările vor dura prea mult.',
    'După furtună mai multe drumuri au fost închise pentru că erau copaci căzuți pe ele.',
    'Înainte de a vopsi peretele, trebuie spălat bine și lăsat să se usuce.',
  ],
  tr: [
    'Belediye yeni bir köprü yapmak istiyor ama mahalleli çalışmaların çok uzun süreceğinden korkuyor.',
    'Fırtınadan sonra ağaçlar devrildiği için birkaç yol kapalıydı.',
    'İyi bir ekmek için hamurun bütün gece serin bir yerde beklemesi gerekir.',
  ],
  vi: [
    'Thành phố muốn xây một cây cầu mới nhưng người dân lo rằng công trình sẽ kéo dài quá lâu.',
    'Sau cơn bão, nhiều con đường bị đóng vì cây đổ.',
    'Trước khi sơn tường, bạn nên rửa sạch và để cho khô trong một ngày.',
  ],
  ru: [
    'Город хочет построить новый мост, но жители боятся, что работы продлятся слишком долго.',
    'После бури несколько дорог были закрыты, потому что на них упали деревья.',
    'Прежде чем красить стену, её нужно хорошо вымыть и дать ей высохнуть.',
  ],
  uk: [
    'Місто хоче збудувати новий міст, але мешканці бояться, що роботи триватимуть надто довго.',
    'Після бурі кілька доріг були закриті, бо на них упали дерева.',
    'Перш ніж фарбувати стіну, її треба добре вимити і дати їй висохнути.',
  ],
  bg: [
    'Градът иска да построи нов мост, но жителите се страхуват, че работата ще продължи твърде дълго.',
    'След бурята няколко пътя бяха затворени, защото върху тях бяха паднали дървета.',
    'Преди да боядисате стената, трябва да я измиете добре и да я оставите да изсъхне.',
  ],
  el: [
    'Ο δήμος θέλει να χτίσει μια νέα γέφυρα, αλλά οι κάτοικοι φοβούνται ότι τα έργα θα κρατήσουν πολύ.',
    'Μετά την καταιγίδα αρκετοί δρόμοι ήταν κλειστοί επειδή είχαν πέσει δέντρα.',
    'Πριν βάψετε τον τοίχο, πρέπει να τον πλύνετε καλά και να τον αφήσετε να στεγνώσει.',
  ],
  ar: [
    'تريد المدينة بناء جسر جديد لكن السكان يخشون أن تستمر الأعمال وقتا طويلا.',
    'بعد العاصفة أغلقت عدة طرق لأن الأشجار سقطت عليها.',
    'قبل طلاء الجدار يجب غسله جيدا ثم تركه حتى يجف.',
  ],
  fa: [
    'شهرداری می‌خواهد پل تازه‌ای بسازد اما ساکنان نگران هستند که کار خیلی طول بکشد.',
    'پس از توفان چند جاده بسته شد چون درخت‌ها روی آن افتاده بودند.',
    'پیش از رنگ کردن دیوار باید آن را خوب بشویید و بگذارید خشک شود.',
  ],
  he: [
    'העירייה רוצה לבנות גשר חדש, אבל התושבים חוששים שהעבודות יימשכו זמן רב מדי.',
    'אחרי הסופה היו כמה כבישים סגורים כי נפלו עליהם עצים.',
    'לפני שצובעים את הקיר צריך לשטוף אותו היטב ולתת לו להתייבש.',
  ],
  hi: [
    'शहर एक नया पुल बनाना चाहता है, लेकिन लोगों को डर है कि काम बहुत लंबा चलेगा।',
    'तूफान के बाद कई सड़कें बंद थीं क्योंकि उन पर पेड़ गिर गए थे।',
    'दीवार को रंगने से पहले उसे अच्छी तरह धोकर सूखने देना चाहिए।',
  ],
  ja: [
    '市は新しい橋を建てたいと考えているが、住民は工事が長引くことを心配している。',
    '嵐の後、木が倒れたためにいくつかの道路が通行止めになった。',
    '壁を塗る前によく洗って、一日乾かしておくとよい。',
  ],
  zh: [
    '市政府打算修建一座新桥，但是居民担心工程会拖得太久。',
    '暴风雨过后，好几条路因为树木倒下而封闭了。',
    '刷墙之前，应该先把墙洗干净，再晾一天。',
  ],
  ko: [
    '시는 새 다리를 짓고 싶어 하지만 주민들은 공사가 너무 오래 걸릴까 걱정한다.',
    '폭풍이 지나간 뒤 나무가 쓰러져 여러 도로가 막혔다.',
    '벽을 칠하기 전에 깨끗이 씻고 하루 동안 말리는 것이 좋다.',
  ],
  th: [
    'เทศบาลต้องการสร้างสะพานใหม่ แต่ชาวบ้านกลัวว่างานจะใช้เวลานานเกินไป',
    'หลังพายุมีถนนหลายสายถูกปิดเพราะต้นไม้ล้มทับ',
    'ก่อนทาสีผนังควรล้างให้สะอาดแล้วปล่อยให้แห้งหนึ่งวัน',
  ],
}
