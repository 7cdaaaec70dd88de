// The most common words of languages that share their script with others: function words, and for close
// relatives the words in which they differ. About half of the words of a running text are in its language's
// list, and at most a fifth in that of another language. Flat tables, by language tag.

export const LATIN_WORDS: Readonly<Record<string, string>> = {
  en: `the of and to in is that it for was on are as with his they be at this have from or had by
    not but what all were we when your can there use an each which she do how their if will up
    other about out many then them these so some her would make like him into has more than its
    you been who our my also may any only new after just should because where most does
    i he me us no could over before between while being here very through under those such`,
  id: `yang dan di dari untuk dengan pada ini itu adalah dalam tidak akan oleh juga sebagai bisa
    karena kami kita mereka telah sudah saya anda ke ada dapat atau menjadi tersebut lebih secara
    seperti hanya agar bahwa sehingga hari saat kepada setelah antara namun tetapi para banyak
    orang lain masih harus kata tentang jika ketika serta baru tahun bagi kalau belum apa
    merupakan hingga melalui selain sejak terhadap berbagai menurut beberapa semua bukan kamu aku
    sangat sementara boleh ialah daripada mengenai polisi uang perusahaan tanpa sampai begitu bahkan yaitu maka tak kemudian lalu pun bila
    gue gak nggak enggak aja udah banget kalo yg dgn utk nih tuh gitu kok dong deh sih buat`,
  ms: `yang dan di dari untuk dengan pada ini itu adalah dalam tidak akan oleh juga sebagai
    kami kita mereka telah sudah saya anda ke ada atau menjadi tersebut lebih secara seperti
    hanya sehingga hari kepada antara namun tetapi para orang lain masih harus kata
    jika ketika serta baru tahun bagi belum apa merupakan hingga melalui selain sejak dapat
    terhadap beberapa semua bukan sangat tanpa sampai begitu maka tak lalu pun bila banyak
    bahawa kerana iaitu sahaja selepas pelbagai manakala sebarang wang awak mahupun tempatan
    semasa terbabit syarikat seramai setakat sekiranya memandangkan polis isnin
    boleh ialah daripada mengenai mesyuarat kepunyaan`,
  jv: `lan ing kang sing saka marang dening karo iku iki ora kanggo ana wis bakal utawa uga amarga
    dadi nanging kabeh saben wong padha minangka sawijining duwe bisa ya aku kowe dheweke apa
    menawa mung isih banget luwih supaya kanthi awit tumrap dudu durung`,
  su: `jeung anu di kana ku tina nu eta ieu teu henteu pikeun keur aya geus bakal atawa oge lantaran
    jadi tapi sakabeh unggal salaku boga bisa abdi maneh manehna naon lamun ngan
    kudu leuwih supaya sarta ti dina kaasup sangkan urang loba moal`,
  de: `der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an
    werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war
    haben nur oder aber vor zur bis mehr durch man sein wurde sei wenn hatte kann gegen vom wir
    ich ihr mein uns schon unter dieser diese dieses sehr was keine habe gibt etwa zwischen seine
    ihre können müssen soll immer dann denn doch ohne damit`,
  fr: `de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont
    avec son il mais comme ou elle été nous vous cette aux leur bien ont être fait sans entre ses
    aussi ces tout après deux peut dont même très si je on donc était où alors tous encore faire
    depuis sa c qu d l n s j y avait avoir votre notre leurs car chez vers`,
  es: `de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o
    este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos
    durante todos uno les ni contra otros ese eso ante ellos e esto antes algunos qué unos yo otro
    es son fue ha ser está han era puede tiene según estos así solo vez cada`,
  pt: `de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele
    das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre
    era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem
    suas meu às minha têm numa pelos elas são pode sobre este onde ainda`,
  gl: `de a o que e do da en un para é con non unha os no se na por máis as dos como pero foi ao el
    das ten á seu súa ou ser cando moi hai nos xa está eu tamén só polo pola ata isto ela entre
    era despois sen mesmo aos ter seus quen nas me ese eles están vostede foron esa nin súas meu
    son pode sobre este onde aínda toda calquera`,
  ca: `de la i que el en a les un per amb no és una els del al es com més se va ha o seva són seu han
    aquest aquesta però ser dels pel hi també entre fins quan sobre molt pels tot anys on sense
    ja ho li ens era té seus des després cada tots havia dos qual aquests altres així si fer
    perquè sota tota`,
  it: `di e il la che in a per un del è non una i le con si da al dei nel come della sono più ha alla
    anche gli ma lo su o delle se ci questo nella era dalla loro essere questa dal stato alle
    suo hanno quando sua così molto tra cui ai già tutti prima dopo fra ogni dell nell all
    degli quello perché chi io noi lui lei stata ancora sulla sul solo due fatto può senza`,
  nl: `de van het een en in is dat op te zijn voor met die niet aan er om ook als dan maar bij of
    door uit nog naar heeft ze wordt wat tot hij was over deze worden meer kan hun geen werd veel
    wel dit moet zich haar had we ik je jij mijn onder andere tegen na zo hebben kunnen zou
    waar alle omdat tussen toch onze zoals u moeten al daar`,
  af: `die van en in het is dat nie te op vir met wat sy word om hulle was aan ek ons daar as hy
    by ook deur sal kan maar een uit of na so haar tot meer oor jy baie hierdie wees geen moet
    nog elke enige alle hul ander asook`,
  sv: `och i att det som en på är av för med den till inte om ett han men var jag sig från vi så kan
    har de när hade ska eller också efter vid nu hon skulle ut bara mot du under där man blev mycket
    över sin alla än detta vara dem kommer någon här utan få sitt mer andra genom hur några deras
    mellan samt varje`,
  da: `og i at det som en på er af for med den til ikke om et han men var jeg sig fra vi så kan har
    de når havde skal eller også efter ved nu hun skulle ud bare mod du under hvor man blev meget
    over sin alle end dette være dem kommer nogen her uden få sit mere andre gennem hvordan nogle
    deres mellem samt hver blevet kunne ville efter hvis hvad selv bliver lige ham fordi op af mig
    igen siger der enten dens`,
  no: `og i at det som en på er av for med den til ikke om et han men var jeg seg fra vi så kan har
    de når hadde skal eller også etter ved nå hun skulle ut bare mot du under hvor man ble mye
    over sin alle enn dette være dem kommer noen her uten få sitt mer andre gjennom hvordan noen
    deres mellom samt hver blitt kunne ville etter hvis hva selv blir litt ham fordi opp av meg
    igjen sier enhver hver noe enten deres`,
  is: `og að í á er sem það við en um til með fyrir af ekki var hann ég hún þess þeir þau þetta eru
    hefur eða frá eftir þegar upp þar svo sig verið verða vera skal hafa sem allir hver
    þessi hans einnig sé`,
  fi: `ja on ei että se hän oli mutta ovat myös kun niin kuin joka tai ole sen vain jo tämä jos sekä
    nyt mitä mukaan kanssa olla jotka siitä mikä kaikki vielä ennen minä sitä hänen voi olisi
    jälkeen siinä eivät ollut mutta kuitenkin tämän myös heidän ne me te koko jonka
    kaikkien välillä sillä niiden näin`,
  et: `ja on ei et see ta oli aga kui ka või mis oma kes ning nii seda tema olla selle veel oleks
    siis kuid pole kõik ole nad juba mida välja pärast ma sest need üle enne nende ainult nagu
    peab tuleb vaid selles kus poolt sellest`,
  hu: `a az és hogy nem is egy ez meg de csak már van volt mint még vagy el ha én ki azt sem mert
    minden kell lesz be fel le így után nagyon amely ami aki ezt pedig után szerint között
    első több alatt ezek azok lehet majd akkor kapcsolatban során való által illetve`,
  pl: `i w na z do się nie to że jest o jak po za od co przez dla ale tak są był jego tym oraz czy
    już było może ma ich tego które który być ze jej przy tylko także jednak pod więcej
    być nad bardzo gdy ten też mi sobie która tej będzie lub mają został po aby nas my ja
    każdy`,
  cs: `a v se na je že to s z do o i jako pro ale za by si po tak jsou byl k ve od jeho nebo které
    jen může který podle ze když jsem být už při pod není než tím již bylo však který až která
    aby co také jej této tento jejich více u před mezi roku má každý ani`,
  sk: `a v sa na je že to s z do o i ako pre ale za by si po tak sú bol k vo od jeho alebo ktoré
    len môže ktorý podľa zo keď som byť už pri pod nie než tým bolo však až ktorá
    aby čo tiež aj tejto tento ich viac u pred medzi roku má každý ani sme bude ktorí`,
  sl: `in je v na za se da ki so ne z s pa po bi tudi ali kot bil ni pri do še od med sem tem lahko
    več iz ob če ta to že samo bo kar ter pred svoje ima vsakdo zaradi njegov kateri bila
    tako smo jih mu`,
  hr: `i je u se na da za su od ne s će a bi o što kao ili ali iz do to koji koja koje sam po nije
    ima biti može samo kako već bio te prema više zbog svoje tako još ovo njegov pri kad sve
    tijekom svatko svaka nego prije između gdje bilo`,
  sq: `e të në i dhe një për me që nga u së është ka si nuk do më kjo janë por ai duke edhe kur kanë
    ky pas nëse ishte tij ose deri ku çdo mund të asnjë vet saj tyre kjo kush`,
  ro: `de și în a la cu pe nu o că se din un care sunt este mai pentru ca au să fi al lui fost ce sau
    dar prin această după ei către le ar sa ale cel cele până între despre dacă fără unei când
    lor cum doar foarte toate fiecare i am ani acest acestea orice îi va vor dintre si sa in`,
  tr: `ve bir bu da de için ile çok olarak daha olan o ne kadar gibi sonra var en ya ancak ise
    ama her kendi göre olduğu şey mi veya ki yok sadece tarafından iki değil tüm ben diye
    bunu şu oldu hiç biz siz onun bütün zaman önce içinde üzerinde nasıl`,
  az: `və bir bu da də üçün ilə çox olaraq daha olan o nə qədər kimi sonra var ən ya amma isə
    hər öz görə olduğu ki yox yalnız tərəfindən iki deyil bütün mən edir həm ancaq onun
    lazım edilir`,
  lt: `ir į kad yra iš su ne tai kaip bet jo ar po už dėl jis prie buvo nuo iki savo būti tik
    dar jos jie tuo per apie mes aš kurie jau taip pat turi gali kiekvienas kuris
    visi jų tačiau labai kai arba`,
  lv: `un ir ka ar uz no par tas kas bet kā arī lai vai pie pēc to viņš nav tā ja savu gan bija
    jau tikai šo viņa būt ne līdz vairāk tiek ikvienam šis kuru kad jo
    mēs es ļoti`,
  eu: `eta da ez ere bat izan du dira egin baina dute edo zen zuen hori hau oso beste dela behar
    duen bere dituzte ditu dituen arte gero orain izango horrek
    duten baino nahi bezala`,
  vi: `và của là có trong cho được với không người các một những này đã khi để từ về như tại cũng
    theo trên đến ra năm vào đó nhiều bị sẽ tôi hay phải rằng nhưng làm sự do thì mà việc
    mọi đều bất cứ nếu sau hơn rất lại`,
  sw: `na ya wa kwa ni katika za la kuwa yake cha si kila mtu hii huo hiyo yao watu wake au
    kama lakini pia bila hata wote zake baada hivyo huku kwamba ambayo ambao sana mwaka kutoka
    alisema wakati nchi hao bado tu mimi wao ili vya pamoja`,
  tl: `ang ng sa na mga at ay ito para hindi isang kung may ko mo siya niya nila sila ni kanyang
    lahat din rin nang pa lang si ako ka kanilang bawat upang o kaya dahil wala mula kapag
    pero naman dito`,
  la: `et in est non ad ut cum sed qui quod per ex ab nec atque enim esse sunt hic haec quae quam si
    aut vel ac autem etiam neque eius quis nulla sit amet dolor ipsum erat eget eu id vitae tempor
    lorem ante nisi nunc elit mauris tellus quisque`,
}

export const CYRILLIC_WORDS: Readonly<Record<string, string>> = {
  ru: `и в не на что с по это как к для от из он но а его то за у так же все о был она до мы бы было
    или если только при они вы уже их год может ещё еще ее также более этого когда быть чтобы
    который которые во со был были есть после нет очень будет имеет каждый`,
  uk: `і в не на що з та у до як для від це за але про а його він й так було які який бути є або
    також ще вже при після їх вона ми був були якщо тільки може того вони більше коли час щоб
    цього має через кожна із зі під між`,
  be: `і ў не на што з у да як для ад гэта за але пра а яго ён так было якія які быць або таксама
    яшчэ ўжо пры пасля іх яна мы быў былі калі толькі можа таго яны больш каб мае праз кожны
    са з гэтага`,
  bg: `и в на да не се за от с е по като са че това до но си при или той ще има както който което
    които след му само бъде във със ни го ги този така беше може между всеки към още
    ли тя би вече всички един една когато защото`,
  mk: `и во на да не се за од со е по како што ова до но си при или тој ќе има кој кое кои по му
    само биде ни го ги овој така беше може меѓу секој кон уште ли таа би веќе сите еден една
    кога се не`,
  sr: `и је у се на да за су од не са ће а би о што као или али из до то који која које сам по није
    има бити може само како већ био те према више због своје тако још ово његов при кад све
    свако него пре између где било`,
  kk: `және бір бұл да де үшін мен бен болып емес деп ол керек оның сол бар жоқ әр өз бойынша кейін
    тиіс туралы еді немесе барлық`,
}

export const ARABIC_WORDS: Readonly<Record<string, string>> = {
  ar: `في من على أن إلى التي عن الذي مع هذا هذه كان ما لا ذلك بين كل قد أو كما لم بعد هو إن هي كانت
    حتى عند أي غير ولا وقد لكل أكثر خلال لكن ثم فيها وهو به وفي حيث فقط`,
  fa: `و در به از که این را با است برای آن یک خود تا بر شد هم نیز ها می اما های شده کرد بود او آنها
    هر باید کند دارد اند ای پس بین چه اگر یا بی همه کرده شود ما پیش`,
  ur: `کے کی میں ہے اور سے کا کو اس نے پر ہیں کہ یہ بھی ایک وہ جو تھا ہو کر تو ان نہیں تھے گیا ہر
    اپنے ساتھ لیے تھی کسی رہے جس یا گئی کیا بعد`,
}

export const DEVANAGARI_WORDS: Readonly<Record<string, string>> = {
  hi: `के में की है और से का को पर ने हैं कि यह भी एक वह जो था हो कर तो इस नहीं थे गया हर अपने साथ लिए
    थी किसी रहे या गई किया बाद होता उसके करने प्रत्येक`,
  mr: `आहे आणि या व हे च्या मध्ये ते तो ही होते आहेत असून केला केली साठी पण नाही हा एक आपल्या त्या
    होता करण्यात असे यांनी प्रत्येक किंवा त्याच्या`,
  ne: `छ र को मा लाई ले पनि गर्ने हुने यो भएको गरेको तथा छन् हो भने त्यस गरी थियो लागि वा प्रत्येक
    हुनेछ आफ्नो गर्न एक`,
}
