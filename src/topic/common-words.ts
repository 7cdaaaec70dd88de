// Made by training/common-words.ts; see training/README.md for what it counted. Not by hand.
// Longer than other files: it is a generated word list.

/**
 * Words that pages have whatever they are about, by language. The first list holds what every
 * second page has or more, the next what every fourth has, and so on, halving each time.
 */
export const COMMON_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    `
about after all also an and any are as at back be been before best but by can contact content
day do don't even every find first for free from get has have help here home how if in
information into is it its just learn like make many may more most my need new next no not now
of on one only or other our out over people policy privacy read right search see should so some
start support take terms than that the their them there these they this through time to top up
us use using want was way we well what when where which while who will with without work you
your`,
    `
able access account across add address again ai already always another app around article
available based because become being below better between big blog both build building built
business call care careers case center change check choose clear close code com come comes
common community company complete conditions control cost could create current customer data
days design designed details did different digital does doesn't down during each easy email end
ensure especially events ever everything example experience explore facebook fast features feel
few focus follow following found full future general getting give go going good great group
guide had having health helps high hours however important improve include includes including
industry instead join keep key know large last latest less let level life links list little live
local long look looking lot love low made main makes making manage management me means media
menu might money much multiple must name needs never news newsletter non number off offer offers
often once online open options order own page part per performance personal place plan please
point popular possible post power price process product products professional program provide
provides public put quality questions quick range ready real really related required research
reserved resources results review reviews rights run same save say security service services set
share show sign simple since single site size skip small social software something space
specific started state stay still store subscribe such sure system team technology then things
think those three times tips today together too tools try two type under understand used user
value very video view website week were whether why within working works world would year years
you'll you're`,
    `
ability above accept accessibility according achieve act action active activity actually added
adding addition additional advanced advertise advertising advice affiliate affordable against
age ago agree ahead air allow allowing allows almost along although am amazon america american
among amount analysis analytics annual answer answers anyone anything application applications
apply approach apps area areas aren't art articles ask asked attention author automatically
average avoid away bad balance base basic behind believe benefits beyond bit black board body
book books box brand brands break bring browser budget businesses buy buying california called
can't cancel cannot card cards cases categories certain challenges changes changing charge
choice choices choosing city class clean click client clients cloud co collection color coming
comment comments companies compare compared completely complex comprehensive connect consider
contents continue cookie cookies copy copyright core corporate costs country course cover
created creating creative credit critical culture currently custom customers cut daily date deal
deals december decision dedicated deep deliver delivery demand depending detailed development
device devices didn't difference difficult direct directly discover display doing done download
drive due early easier easily edge editor education effective efficient either else enable
energy english enjoy enough enter entertainment entire environment essential etc event everyone
exactly examples excellent existing expect expected expensive experiences expert experts extra
face fact family faq far faster favorite feature featured feedback field file final finally
finance financial finding fine fit five focused food form forward four friendly friends front
fully fun function further game games gets gift given gives giving global goal goals goes google
got government green groups grow growing growth guides half hand handle hands happy hard he head
helpful helping her higher highly his history hit hour house https human i'm i've idea ideal
ideas identify image images impact inc included increase individual info inside insights
instagram interest international internet isn't issue issues items itself january job jobs
journey keeping kids kind knowledge known language larger later lead leading learning least
leave led left legal levels library lifestyle light likely limited line link linkedin living
location locations log login longer looks lower machine maintain major map march market
marketing match materials matter mean meet member members message method methods million mind
minutes mobile model models modern month months move moving multi music national natural
navigation near necessary needed network newsletters night north note nothing notice november
offering office old ones operations option organization original others outside overall overview
pages paid particular partner partners parts party past path pay perfect person phone photo pick
planning plans platform platforms play plus points policies posts potential powered powerful
practice practices pre preferences press pretty prevent previous prices pricing private pro
probably problem problems production professionals programs project projects protect protection
provided providing published purchase purpose question quickly quite rate rates rather reach
reading reason receive recent recently recommend recommendations recommended record red reduce
register regular release reliable remember reply report reports request require requirements
requires response rest result return returns risk role room rules running safe safety said sales
says scale schedule school science second section secure seen select self sell send sense series
sets setting settings setup several sharing she shop shopping short shows side significant
similar simply sites six skills smart solution solutions someone sometimes soon source south
special speed spend sports staff stand standard standards starting statement states status step
steps stop storage stories story strategy strong studies study style submit subscription success
super supports switch systems table takes taking talk teams tech technical tell term test
testing text thank thanks they're thing thinking third though thought throughout took tool
topics total touch track tracking traditional training travel trends true trust trying turn tv
twitter types typically understanding unique united university until update updated updates
useful users uses usually variety various version via videos visit vs wanted watch water ways
we'll we're we've web weekly weeks weight welcome white whole wide women won't worth write
writing written wrong yes yet york you've yourself youtube`,
    `
absolutely accessible accessories accounts accuracy accurate actions activities actual ad adapt
additionally adds adjust ads advance advantage advantages affect africa agency agent agents
agreement alerts align allowed alone alongside alternative alternatives amazing analyze android
announced anywhere apart api appear apple applied appropriate april architecture archive
artificial arts asia asking assess assistance assistant associated audience audio august
australia auto automated automatic automation availability award awards aware baby background
bag bank bar basics basis battery beautiful beauty became becomes becoming bed begin beginner
beginners beginning behavior benefit bigger biggest bill block blogs blue boost bottom breaking
bringing brings broken brought browse browsing builds button ca calendar calling calls came
camera campaign canada capabilities capacity capital capture car career carefully carry cart
cash catch category cause centers central certainly certified chain challenge chance changed
channel chat cheap checking chief child children china chosen claim claims classes classic
cleaning clearly clicking climate closed club coffee cold collaboration collect college colors
combination combined combines comfort comfortable command commercial commission commitment
communication communications communities comparison compatible competitive completed complexity
compliance components computer computers concept concepts concerns condition conduct confidence
confident connected connection consent considered considering consistent constantly construction
consumer contain contains context continues continuous contribute controls convenience
conversation cool correct couldn't count countries couple courses coverage covered covers
creates creation crisis cross crucial customizable customize cutting cycle damage dark database
david de death dec decades decide decided decisions deeper default define defined definitely
degree delivered delivers demo department depends depth description desk desktop despite detail
determine develop developed developer developers developing direction director directory
disclosure discount discounts discuss discussion discussions distribution dive diverse docs
document documentation documents door double dr drink driven driving drop dry dynamic earlier
earn earth ease east eat economy edit edition editorial effect effectively effects efficiency
efficiently effort efforts electric elements emails emergency employee employees empty en
enabled enables enabling ends engage engagement engine engineering enhance enhanced ensures
ensuring enterprise entirely entry environmental environments equipment error errors español
essentials established estate europe evaluate eventually everyday everywhere evolving exact
except exchange excited exciting exclusive executive exercise exist expand expectations
experienced expertise explain exploring extend extended extensive external extremely eye eyes
factor factors fair fall familiar families faqs fashion february federal fee feed feeling feels
fees feet felt fewer fields figure files fill film filter filters finish fire firm fitness fits
fix fixed flat flexibility flexible floor flow footer force forever forget format former forms
forum forums foundation founder framework france french frequently fresh friday friend
functional functionality functions gain gaming garden gave gear generally generate generated
generation germany github glass gone grade greater ground guarantee guidance guidelines handling
happen happens hardware haven't healthcare healthy hear heard heart heat heavy held hello helped
hi hidden highest highlights him hire hold holds holiday homes hope host hosting hot html hub
huge hundreds hybrid i'd i'll id identity immediately implement implementation importance
improved improvement improvements improving inbox income increased increasing increasingly
incredible incredibly independent index india individuals industries informed infrastructure
initial innovation innovative input insight inspiration inspired install installation installed
instance instant instructions insurance integrate integrated integration integrations
intelligence intended interactive interested interesting interface internal interview
introduction intuitive invest investing investment investors involved involves island item jan
javascript john july jump june keeps kept kingdom kit kitchen knowing lack land landscape
languages largest lasting late launch law layer leader leaders leadership leads learned leaving
length lets leverage license licensed lighting lightweight limit limits lines listed listen
lists lives llc load loading located looked lose losing loss lost lots loved magazine magic mail
maintaining maintenance man managed manager managing manual mar mark marked marketplace markets
massive master material matters max maximize maximum maybe meaning measure measures medical
medium meeting membership memory men mental mention mentioned messages metrics microsoft mid
middle military millions min mini minimal minimum minute miss missing mission mix mode moment
monday monitor monitoring monthly morning mostly moved movement myself named names native nature
navigate nearly net newest nice none normal notes nov numbers object october offered official ok
older ongoing opening opens operating operation opinion opportunities opportunity opt optimize
optional orders org organizations organized otherwise outdoor output owned owner owners pace
pack package packages pair panel paper park particularly pass password patterns paying payment
payments peace percent perfectly perform perhaps period personalized personally perspective
photography photos physical picks picture piece pieces pinterest places planet playing plenty pm
podcast podcasts politics pop portfolio position positive posted practical prefer preferred
premium prepare prepared presence present president pressure previously primary print prior
prioritize priority processes processing produce productivity profile profit programming
progress proof proper properly property pros protected proven provider providers publishing pull
purposes push putting python quote raise rated rating re reader readers reality reasons received
records recovery reddit reduced reducing refer reference reflect regarding regardless region
registered regularly relationship relationships relatively released releases relevant rely
remain remains remote remove repair replace replacement reported reporting requests resolution
resource respond responses responsible retail revenue reviewed rich rise risks road robust round
routine rss rule runs sale san saved saving savings saw saying score screen seamless season
seconds sections seeing seeking seem seems selected selection selling senior sensitive sent
separate september serious serve server serving session sessions seven shape shared shares shift
ship shipping showing shown significantly signing sit sitemap situation sizes sleep slightly
slow smaller smarter smooth soft sold solid solve sort sound sounds sources spaces speak
speaking specialized specifically spending spent sport spot spring st stack stage stands star
starts statistics staying stick stock stores straight strategic strategies streaming street
strength stress structure structured student students studio stuff subject subscriptions
successful successfully suggest suggestions suitable suite summary summer sun supplies supply
supported supporting surface sustainability sustainable tags tailored taken talking target
targeted task tasks tax techniques technologies templates tend tested tests theme themselves
therefore thoughts thousands thread tip title toggle told topic toward towards trade traffic
transfer transform transparency treat treatment trending trial tried trip truly trusted truth
turned turns twice uk ultimate ultimately ultra unit unless unlike unlimited unlock upcoming
upgrade upon url usa usage valid valuable values vary versions views virtual vision visitors
visual voice volume wait walk wall wants washington wasn't waste watching weather webinars
websites wellness went west whatever willing win window windows winning winter wish woman word
words worked workers workflow workflows worldwide worry wouldn't writer wrote www you'd young
zero`,
    `
absolute abuse academic academy accelerate accepted accommodate accounting achieved achieving
actionable actively addresses addressing adjustable adjusting admin administration adopt
adoption adult adults adventure adventures advertisement advisory aesthetic affected affects
affiliates afraid agencies ages agriculture aid aim aimed aims al alert alex algorithms aligned
alignment aligns alike alive americans amounts angeles angle animal animals announcement
announcements annually anti anxiety anymore anytime anyway ap apartment apis appeal appearance
appeared appears appliances applies applying appointment appreciate approaches approval approved
approximately apr archives argument arguments arm arms array arrive arrived aside aspect aspects
assembly assessment asset assets assigned assist associate association assume attached attack
attacks attempt attempts attend attract attribute attributes audiences audit aug austin
australian authentication authority authors automate automotive avoiding awareness awesome aws
azure backed backup bags balanced balancing band banking banks bars basically bathroom batteries
battle bay beach beat began begins beneficial beta billing billion bills blend blocks blood
bluetooth boards bold bonus booking border born boston bottle bought bound boundaries bowl boxes
boy brain branding brasil brazil breakdown breaks breath brief bright british broad broader
brown budgets bug bugs builder bunch bundle burn burning busy buttons buyers cable calculate
calculator calm cameras camp campaigns campus cancellation cancer candidates capability capable
captures carbon careful carolina carrier carrying cars cast casual cat catalog caught caused
causes causing centre century ceo certificate certification certifications chair challenging
channels character characters charged charges charging chart charts cheaper cheapest checked
checklist checkout checks chicago chinese chose chris christmas circumstances cities clarity
clicks clock closely closer closing clothes clothing coach coast codes coding collaborate
collaborative collected collections colorado column combine combining commands commerce commit
committed commonly commons communicate compact comparing compatibility compelling compensation
competition competitors compiled completion complicated component computing concern concerned
conclusion conference conferences configuration configure confirm confirmed conflict connecting
connections connectivity connects cons consideration considerations consistency consistently
consists console constant constraints consult consultation consulting consumers consuming
consumption container containing continued continuing contract contracts contrast contributing
contributions contributor contributors controlled convenient conventional conversations
conversion convert cook cooking copied corner corporation correctly costly council counter
county court covering covid cpu craft crafted crash crazy creativity creator creators
credentials credits crew crime criteria css cultural cup curated curious currency curve
customization customized cuts cybersecurity cycles cycling czech dangerous dashboard databases
dates dc dead dealing debate debt decade decent deciding decrease deeply defense defines
defining definition degrees delays delete delicious delivering demands departments depend deploy
deployment describe described describes designer designers designing designs desire desired
destination destinations detect detection determined deutsch dev developments die diet
differences differently difficulty dimensions dining dinner directions disaster disclaimer
discovered discovery discussed disease displayed distance distributed district diversity
division diy doctor dog dollar dollars domain domestic donald donate doors downloads dozens drag
draw drawing dream drinks driver drivers dropped drops dual durable duration dust dutch dynamics
earned easiest eating eco ecommerce economic ecosystem edited editing editors educational
effectiveness eight el election electrical electricity electronic electronics element elevate
eligible eliminate eliminating elite elsewhere embedded embrace embracing emerging emotional
employers employment encounter encourage encourages ended endless engaged engaging engineer
engineers engines england enhances enhancing enjoyable enjoyed entering enterprises entries
episode equal equally equipped equity equivalent era essentially establish estimate estimated
estimates eu european evaluating evaluation evening evidence evolution evolve excel excellence
exception exceptional exclusively execute executed execution exists expanded expanding expansion
expenses experiencing experiment explained explains explanation explicitly exploration export
exposed exposure express extends extension extract extreme fabric faced faces facilities
facility facing facts fail failed failing failure fairly falling falls false famous fan fancy
fans fantastic farm fastest fat father favor favorites fear featuring feb feeds fellow female fi
fight fighting figures filled financing finds finished firms fixes fixing flag flight florida
fly focuses focusing folks followed follows foods foot footage football footprint forced forces
forecast foreign forgot formats formerly formula founded frame frameworks francisco français
fraud freedom frequency frequent fruit fuel fund fundamental fundamentals funding funds funny
furniture gadgets gained gallery gap gaps gas gather gen gender generating generative generator
generic georgia german getty giant gifts girl glad glance globally globe glossary gold golden
golf goods gov governance governments grab gradually graduate grand grant graphic graphics gray
greatest greatly grid grown grows guaranteed guess guest guests guided guy gym habits hair hall
handful handles handy happened happening harder hasn't hassle hate heading headlines headphones
heads hearing heavily height hey hide highlight hiking hill hiring historical hits holding hole
holidays homepage honest hong hopefully hospital hospitality hosted hosts hotel household
housing hr http humans hurt ice identified identifying ignore ii illinois imagine immediate
impacts implemented implementing import importantly impossible impressive improves inch inches
incident inclusion inclusive increases indeed independently indonesia indoor industrial
influence inform ingredients initially initiatives injury innovations insert insider inspire
instantly institute institutions integrates integrating integrity intelligent intensive interact
interaction interactions interests interfaces interior interviews introduce introduced
introducing inventory investigation investments investor involve ios ip iphone ireland islands
israel italian italiano italy james japan japanese java jersey joe joined joining joint journal
joy js jul jun justice keyboard keys keyword kick killed kinds king kits knew knows kong korea
korean la lab label labor labs lacks lake landing laptop laptops largely latin latter launched
launches laws layers layout layouts lean leaves leg legacy lesson lessons letter letters letting
leveraging libraries licensing lies lifetime lift lifting lighter lights liked likes limitations
linked linking linux listening listing listings literally lived loaded loan locally lock locked
logged logging logic logo logs london loop los loud lowest ltd luck luxury mac machines
maintained majority maker makers managers manually manufacturer manufacturers manufacturing maps
martin mass matched matches matching math matt meal meals meaningful meant meanwhile measuring
medicine meetings meets mess messaging met meta metal methodology mexico michael michigan
migration mike miles mine minimize minor missed mistake mistakes mixed mo moderate modes
modified modify module modules mom moments mon monitors mood mother motion motivation mount
mountain moves movie movies ms muscle narrow nation naturally navigating nearby necessarily
needing negative neither netherlands networking networks neutral newer newsroom nine noise
nonprofit nor normally northern noted noticed notifications notify numerous nutrition ny
objectives objects obtain obvious occasional occasionally occur oct offerings officer offices
officially officials offline oh oil okay oldest ons onto op opened operate operational opinions
optimal optimization optimized optimizing orange oregon organic organize oriented originally os
outcomes outdoors outlet outstanding overhead overwhelming ownership pacific packaging packed
packing packs pads pain paint pandemic panels papers parameters parent parents participants
participate parties partnership partnerships passed passing passion paste paths patient patients
pattern paul pause pc pdf peak peers percentage performed performing periods permanent
permission permissions personalize pet peter pets phase philosophy phones php picked picking
pictures pin pink placed placement placing plain planned planner plant plants plastic plate
played player players plays plug plugin pocket police polish political pool poor popularity
population port portable portal portion portugal português positions possibilities possibly
posting potentially powers precise precision predictive prep preparation preparing presentation
presented preventing prevention prevents preview primarily prime principles priorities
procedures processed produced produces producing productive professor profiles promise promises
promote promotion promotions prompt properties protecting prove publications publish purchased
purchases purchasing pure pushing puts qualified qualifying quantity quarter queries query quiet
quotes race racing radio rain raised raises raising ram ran random ranges ranging ranked ranking
rankings rapid rapidly rare rarely ratings raw reached reaching react reactions reads realistic
realize realized reasonable receiving recipe recipes recognition recognize recognized
recommendation recorded recording recurring reduces reduction references refers refine reflects
refresh refund regional regions registration regulations regulatory relations reliability
relying remaining remotely removal removed removing rent rental repeat replaced replacing
replies represent republic reputation requested requirement requiring rescue researchers reserve
reset residential residents resilience resistance resistant respect responsibility responsive
restaurant restaurants restrictions resulting retention retirement returned returning reveal
revealed reveals revolution rewards ride ring rising roadmap robert robot rock roi roles roll
rolling roof rooms root rough roughly rounded route row russia russian saas safely salt sample
sarah sat satisfaction satisfied saturday saves scalability scalable scaling scan scenarios
scene scenes scheduled schedules scheduling schools sciences scientific scientists scope scores
scott scratch screens script scroll sea seamlessly searches searching seat secondary secret
sector seek sees selecting seller sellers sending sends sensor sensors seo sep sequence
seriously served servers serves sex shaped shapes shaping sharp sheet sheets shelf shell ships
shoes shorter shot shouldn't showcase showed sidebar sides signal signals signature signed signs
silver similarly simpler simplicity simplified simplify simultaneously singapore sitting
situations sized skill skilled skin sky slower slowly smartphone smoothly snow society solar
solo solving somewhat somewhere son sophisticated sorry southern spain spam spanish speaker
speakers specialist specialty specified specify specs speech speeds split sponsored spotlight
spots spread square stability stable stages standing standout stars starter startup startups
statements static station stays steady stops stored storing straightforward strange stream
streamline strengthen stretch strictly string stronger structures struggle struggling stuck
stunning styles stylish sub submitting subscriber subscribers substantial succeed sugar
suggested suggests suit suited suits summit sunday superior supposed surprise surprised
surprisingly surrounding survey survival sweden sweet switching sync syntax tab tables tablet
tackle tag tailor talent talks tall tank tap targeting targets taste taught taxes tea teach
teacher teachers teaching technique telling tells temperature template temporary ten
testimonials texas themes theory therapy they'll they've thin thorough thoroughly thousand
threads threat threats thrive throw thursday thus ticket tickets tied tier tight tiktok timeline
timing tiny tired titles tom tomorrow ton tone toolkit totally tough tour town toys tracks
traction trademark trademarks trading trail train trained transaction transactions
transformation transforming transition translate translation transparent transport
transportation traveling treated treatments tree trend tricks trigger trips trouble truck trump
tuesday tune turkey turning tutorial tutorials tweet typical ui ukraine uncover understood
unexpected unfortunately unified union units universal unknown unnecessary unsubscribe unusual
updating upfront upload upper ups urban usb usd usual utility utilize utilizing ux validate
validation valley variable variables varies varying vast vehicle vehicles vendor vendors
verification verified verify versatile versus vertical vibe vibrant vice viewed viewing virginia
virtually visibility visible visited visiting visits vital voices volunteer waiting walking
walls war warm warning warranty wave we'd wealth wear wearing wednesday weekend weird western
wet whatsapp whenever whereas wherever whose wi widely wider width wife wild wine wins wireless
wise won wonder wonderful wondering wood wordpress workout workplace workshop workshops
workspace worse worst wrap writers yellow yoga yours youth zealand zip zone zoom`,
    `
abilities abroad abstract ac accelerating acceptable acceptance accepting accepts accessing
accident accidents accomplish accomplished accordingly accountability accurately accused
achievement achievements acknowledge acquire acquisition acting activate actors acts adam
adaptable adaptation adapted adapter adaptive adchoices additions adequate adhere adjusted
adjustment adjustments administrative administrator admissions admit adobe adopted adopting
advancements advertisements advise advised advisor advisors advocacy advocate affairs affecting
affiliated afford affordability afghanistan african afternoon afterwards aged agenda agentic
aggressive agile agility aging agreed agreements aids aiming airline airport aka alabama alarm
alaska alcohol alexa algorithm aligning alliance allocation alpha alt alter alternate
alternatively aluminum alumni ambassador ambient ambitious amd americas amid amp ample analyst
analysts analytical analyzing ancient andrew andy angles angry animation anna anniversary
announces anonymous answered answering anthony anticipate anticipated anybody apache apparel
appealing applicable appointments appreciated appreciation approaching approvals ar arab arabia
arabic arbitrary arc argentina argue arise arizona arkansas armed army arrested arrival arrivals
arrives arrow artist artists asian asks assemble assessed assessing assessments assign
assignment assignments assistants assisted associates assumed assumes assuming assumptions
assurance assured atlanta atmosphere attach attachment attachments attended attendees attorney
attractive attribution audits augmented austria authentic authorities authorized automating
automations autonomous ave avenue aviation avoided awarded babies backend backgrounds backpack
backpacking backpacks backyard bacteria badges baking ball bamboo ban bands bang bare barely
barrier barriers basement basket basketball baskets bass batch bath bean beans bear beating
beats beautifully bedroom beef beer begun behalf behavioral behaviors belgium believed believes
bell belong belongs beloved belt belts ben bench benchmark benchmarks beneath bermuda besides
bet beverage bi bid biden bike bikes billed billions bin binary binding bio bird birds birth
birthday bite bits blank blind blockchain blocking blow bluesky boasts boat bodies bond bonds
bone boolean boosting boosts boot boots borders boring bottles bounce boys branch branches
branded bread breadcrumb breakfast breathing brian bridge bridges briefs brightness brilliant
britain broadcast broke brooklyn brother browsers brush buck budgeting builders buildings
bulgaria bulk bullet bundles bureau burned burns bus butter buyer cabinet cabinets cables cache
caching cafe cake calculated calculating calculations calculators calendars calories cambodia
camping canadian candidate canvas cap cape caps caption captured capturing cardio cardiovascular
cares cargo caribbean caring carried carries catching cater cats cc cd celebrate celebrating
celebrity cell centered centralized centric ceremony certificates chains chairs champion chances
changelog changer chaos chapter characteristics charger chargers charity charles charlotte chase
chatgpt cheat checker cheese chef chemical chemicals cherry chest chicken childhood chile chip
chocolate christian chrome chronic ci circle circuit circular cite citizens civil claimed clark
classified classifieds classroom claude cleaned cleaner cleaners clearance clearer clever cli
climb climbing clinical clip clips clone closet cloth clouds clubs coaching coalition coat
cocktails cognitive collapse colleagues collecting collective colombia colored colorful colour
columbia columnists columns combat combo comfortably commentary commenting committee committing
companion compares comparisons compete competing competitions competitor compile complaints
complement completing compliant comply composition compound compromise compromised compute
concise concrete conditional conditioning conducted confidential confidently config
configurations configured confirmation conflicts confused confusing confusion congress
connecticut conscious consecutive consequences conservation conservative considers construct
consultant consume contacts contained containers contemporary continuously contractor
contractors contributed contributes contribution controller convention conversational
conversions converter converting cooler cooling cooperative coordinate coordination coordinator
copies copilot cord cords corners coronavirus corp corporations correction corrections
corresponding costa costing cotton couch counting countless counts coupled couples coupon
coupons courtesy courts crafting crafts cream credibility creek cricket criminal crisp criticism
crm croatia crop crowded cruise cry crypto crystal ct cuba cups curiosity curriculum cute cyber
dad dakota damaged dan dance danger daniel dansk dashboards datasets dating daughter daunting
davis deadline deadlines deadly debian debris debug debugging debut deck declare declared
decline declined decor defaults definitions definitive delaware delay delayed deleted
deliberately delicate demanding democratic democrats demographics demonstrate demonstrated
demonstrates demonstrating demos denied denmark dense density dental deny dependencies
dependency dependent deployed deposit depression derived describing descriptions desert deserve
deserves designated desks dessert detected determining devops diabetes dial diamond died diego
dies diets differ dig digging directed directors dirt dirty disabilities disability disable
disabled discipline disclosures discord discounted discovering discussing diseases dish dishes
disk disney disorder disorders displaying displays disrupt disruption distinct distribute
distributions divide divided doc docker doctors documented dogs domains dominant dominate
donation donations dot doubt downloaded downloading downside downtown dozen draft drama dramatic
dramatically drastically drawbacks drawer drawn draws dreams dress drew dried drinking drives
drone drones dropping drug drugs duplicate durability duty dying eager ear earning earnings
earns ears eastern ebook ebooks echo economics ecosystems ed edges editions editorials edits edu
educate educators effortless effortlessly eggs egypt elections elegant elevated eligibility
eliminates elizabeth embed embedding emerge emerged emergencies emily emirates emissions
emphasis emphasize emphasizes empire employ employer empower empowering empowers encountered
encouraged encouraging encryption ending endpoint enforce enforcement engineered enjoying
enormous entered entertaining enthusiasts entities entity entrepreneurs entrepreneurship epic
episodes ergonomic eric es escape españa espresso essay est establishing et ethical ethics eur
evaluated evil evolved ex exam examine exams exceed excels exceptions excess excessive exchanges
excitement exclude excluding excuse executives exercises existence exit expecting expects
expense experimental experimentation experiments explaining explanations explicit explored
explorer explores expressed expression expressions extending extensions extent exterior
extraordinary extras facial facilitate factory faculty fails failures faith fake fallen fantasy
farmers fascinating fatigue fault favourite fax fears feasible fed feeding feelings fell fence
festival fetch fiber fiction fifth figured figuring filed filing filling films filtered
filtering finances finder findings finger fingers fingertips finishing finland fintech firefox
fires fish fishing fitting fl flagship flash flavor flavors fleet flex flights flip flipboard
floating floors flower flowers flowing flows fluid flying foam fold folder folding followers
font footwear ford forecasting forest forgotten formal formatting formed fort forth fortunately
fortune foster fostering foundational foundations founders fourth fox fr frames franchise frank
freelance freely freeze fri frontend frontier frozen fruits frustrated frustrating frustration
fuels functionalities functioning funded furthermore fusion ga gaining gains galaxy galleries
gameplay gamers garage gardening gardens garmin gateway gathered gathering gauge gb gdpr gemini
generates generations generators generous genius genre genres gentle gently genuine genuinely
geographic george girls git glasses gloves gmail god gorgeous gotten governor gps gpu grain
grammar grams granted grants graph grasp greece greek grew grey grip grocery gross
groundbreaking grounded grounds guarantees guard guiding guilty guys habit hack hacks hadn't
hampshire handed handled hang hanging happily happiness harm harmful harry harvard hat hats
hawaii hd hdr headed header headphone healing healthier heating heavier heights hell helper
hence herbs heritage hero herself hiding highlighted highlighting hike hills himself hints hip
hipaa hired historic historically hitting hobbies hobby holder holes holistic hollywood holy
homemade homeowners honestly honor hood hook hooks hopes hoping horizon horror hospitals hotels
hourly houses houston hubs hubspot humanity hundred hungary hunt hunter hunting husband hvac
hydration hygiene hype iceland icon iconic idaho ideally identical identification identifies ids
ignored iii ill illegal illness illustration imagery immersive immigration immune impactful
impeachment implications impressed impression inappropriate incentives incorporate incorporating
incorrect indian indiana indicate indicated indicates indicators indonesian indoors inexpensive
infections infinite inflation informational informative ingredient initiative injuries inline
inner innovate inquiries inquiry ins inspect inspection inspiring installations installing
instances institution institutional instruction instructor instruments insulation insured intake
integer integral intel intense intensity intent intentional intentionally intermediate
internally interpret interpreted intersection intervention introduces invalid invaluable
invested investigate investigating investigations invisible invite invites invoice involvement
involving io iot iowa ipad iran iron irs iso isolation issued it'll iteration jack jacket
jackets jane jason jeff jennifer jessica jewelry jim jogging johnson joins jonathan jones jordan
joseph journalism journalist journeys jr json judge judgment juice jumping junk justify kansas
kate keen kentucky kevin keyboards keywords kicked kid kill killing kim kitchens knees
knowledgeable labeled labels labour lacking laid landscapes las lastly lasts latency launching
laundry lay lb lbs le leaf league leak leaks leap learns leather lee legally legend legendary
legislation legitimate legs lemon lens leverages lewis liability licenses lid lie lifecycle
lightning likelihood limiting linear lineup liquid lite literacy literature llm llms loads loans
locate locks logical logistics logos longest longevity loops loose loses losses louisiana lounge
lovely lovers loves loving lowering loyalty luckily lucky luggage lunch luxembourg lying ma
macos magical magnetic magyar mailing maine mainly mainstream maintains malaysia male manageable
manages mandatory manner manuals mapping marathon margins marine marketers marking marks markup
married mary maryland mask massachusetts mastering masters mat matrix mature maximizing mcp md
measurable measured measurement measurements meat mechanical mechanism mechanisms medication
medications meditation memorable memories mentions menus merely merge messenger messy metadata
metric metro miami mic micro microphone midnight migrate mild mile mileage milestones milk
miller minded mindful mindfulness mindset minimalist minimizes minimizing mining minister
ministry minnesota mins mint mirror mississippi missouri mit mitigate mixing ml mm mobility
modeling modernize modest modifications modular moisture momentum montana moon moreover morgan
mornings morocco mortgage motivated motor mountains mounted mouse mouth movements mr multimedia
murder museum musical mutual mysterious mystery nail naming narrative nasa nations nationwide
nba nc neat nebraska necessity neck nederlands neighborhood neighbors nest netflix neural nevada
nevertheless newly newspaper newspapers nfl niche nights nike nobody node nonprofits norway
norwegian nose notable notch notices notification notified noting notion novel nuclear null
nursing nut nutrient nutrients nuts nvidia nyc oak obituaries objective observe obtained
obviously occasion occasions occurred occurs ocean odds officers offset ohio oils oklahoma
onboard onboarding ontario openai operated operates operator operators opposed opposite opting
oracle ordered ordering ordinary organizational organizers organizing orientation origin
ourselves outcome outdated outer outlets outline outlined outlook outputs outreach oven overcome
overflow overlooked overly overnight override overwhelmed owns oz pa paced packaged pad paddle
paired pairing pairs pakistan palm pan pants parallel parameter paramount parenting paris
parking parks partial participant participating participation passengers passes passionate
passive pasta patch patches patience patrick paypal payroll pays peer pen pennsylvania performs
perks permanently permit permits permitted persistent personalised personality personalization
personnel perspectives peru pest phd philadelphia philippines phoenix photograph photographer
photographers phrase physically physics pickup pillows pilot pipeline pipelines pitch pivotal
pixel pizza plane planted plates playback playground pleased plot plugins plumbing pointed
pointing poland polished polls pollution polski poorly ports portuguese pose positioned
positioning possibility posture pot pound pounds pour powerhouse powering pr practicing
precisely predict predictable predictions preference pregnancy premier premise presentations
presents preserve preserving pressing priced pride prince principal principle printable printed
printing prioritizing prison prize proactive proceed processor producer professionally
profitable profits profound progressive prohibited prominent promising promo promoted promotes
promoting promotional prompts prone proposal proposed proprietary prospective prospects
protective protects protein protocol protocols prototype proud proudly proved proving proxy
psychology pt publication publicly publisher puerto pulled pulling pulse pump pumps punch purple
pursue pursuing pushed pushes puzzle puzzles qualify quantum quarterly queen quest quicker quit
quiz rabbit rack racks rail rank ranks ratio ray rd reaches reaction readable readiness rear
reasonably reasoning rebecca recall recalls recap recaptcha receives recommends recordings
recover recreation recruiting recruitment recycled recycling referral referred refined
reflecting reflection refunds refurbished refuse registry regulated regulation reject relate
relative relevance reliably reliance relief relies remained remarkable remarkably remembering
reminder reminders removes render rendering renew renewable renovation renowned rentals renting
rep repairs repeated repeatedly repetitive reportedly reporter repositories repository
representation representative representatives represents reprints reputable researcher
researching reshaping resident resilient resolve resolved respective respectively responded
responding responds responsibilities restore restricted resume retailer retailers retain retire
retired retrieve retrieved retro reusable reuse reuters revealing reverse reviewing reward
rewarding rgb rhode rice richard richer rico rid rides rigorous rings river roads roberts
robotics robots rocket rolls romania roots rope ropes rose rotate rotation router routes
routines routing rows royal rubber ruby rugged runner runners runtime rural rush rust ryan sa
sacrificing safer saint salary salesforce sam samples samsung sandals sap satellite satisfy
satisfying saturated saudi savvy scales scanning scenario schema scheme scholarships scientist
scoring scotland screening scripts sd se seal searched seasonal seasoned seasons seating seats
seattle secretary secrets sectors secured securely securing seed seeds seemed seemingly segment
sells semi senate seniors sensitivity sentence separately sequences settle setups severe sexual
shade shadow shake sheer shelves shield shifted shifting shifts shine shines shipped shirt
shirts shock shocked shoe shoot shooting shopify shoppers shops shortage shortcuts shortly
shorts shots shoulder shoulders shower shut sick sierra sight signup silence silent silicon
simon simplest simulation sink sister sits skins slack slavery sleek sleeping slice slide slight
slim slip slot slots slovakia slowing smallest smartphones smell smile smith smoke smoother sms
snack snacks snapshot soccer socks soil sole solely solved somebody somehow song songs sony
sooner sorted sought soul sourced spa span spans spare spark speaks spec specialists specialize
specializes species specification specifications spectrum spin spirit spoke spoken sponsor
sponsors spotify spray spreading sql stacks stainless stairs stakeholders stakes standalone
standardized stated stations statistical stats stayed steal steam steel steep stephen stepping
steve sticking sticks sticky stocks stolen stone stood stopped stopping storm storytelling
strain strategically streamlined streamlining streams streets strengths stressed stressful
stretching strict strike strikes striking strings strip strive strongest strongly structural
struggled struggles studied studios studying sturdy subjects submission submitted subscribed
subscribesign subscribing subsequent subsidiary substack substackget substance substitute subtle
sudden suddenly suffer suffering sufficient suggesting sum sunglasses sunlight sunny suomi
supplement supplements supplier suppliers supporters supportive surfaces surge surprising
surround surroundings surveillance surveys survive suspect suspension sustained svenska svg swap
sweat swedish swift swim swimming switched switzerland sydney symbol symptoms synthetic
systematic tablets tackling tactical tactics taiwan takeaways tale talented talked tangible tape
taylor teaches technically technological teen teens teeth television temperatures tends
tennessee tennis tens tension tent terminal terrible territories territory texts texture thai
thailand theater theft thick thinks thirds thomas thoughtful threatening thriving throwing thumb
tidy tie tiers ties tim timeless timelines timely timer tires tiếng toddler token tokyo toll
tons tooling tops toronto tos tourism tours towel towels tower toy trace tracker trackers
tradition traditionally trailers trails trainer trainers transcript transcripts transfers
transformative transformed transitioning transitions translated translates translations
transmission trash traveler travelers travelling travels treating treats trees trials trick
tricky tries triggered triggers triple tropical troubleshooting trucks trustworthy tuition
tumblr tuned tuning turkish tvs tweak twenty twin twist tx typing türkçe uber ubuntu ukrainian
umbrella un unable uncategorized uncertainty unchanged unclear uncomfortable uncommon
undergraduate underlying uniquely universe universities unlikely unmatched unparalleled
unprecedented unpredictable unsure unwanted upgraded upgrades upgrading urge urgent urls
usability usable username utah utc utilities va vacation vacuum validated valued van vanilla var
variants variation variations varied vegan vegas vegetable vegetables venezuela venture ventures
venue vermont versatility vests veteran veterans victim victims victory vietnam vietnamese
viewers village vintage violence viral virgin virus visa visitor visualization visualize
visually visuals việt volumes volunteers vote voted voters votes voting vpn vr vulnerabilities
vulnerability vulnerable wa wake wales walks wallet walmart wanting warehouse warmth warnings
warns warranties wars wash washing watched watches waterproof waves weak weapon weapons webinar
wedding weddings weigh weighing weights welcoming weren't wheel wheels whilst wholesale whom
wifi wiki wildlife william williams wind winner wipe wire wired wiring wisconsin wisely wishlist
witness woods wool worker workforce workload workloads workouts worn worried worrying worthy wow
wrapped writes wyoming xenforo xml yard yeah yesterday yield younger zones čeština`,
  ],
  id: [
    `
ada adalah akan banyak baru by dalam dan dari dengan di dua hal in ini itu juga ke lain lainnya
lebih memiliki menjadi mereka namun oleh pada pilihan saat satu untuk yang`,
    `
agar akhirnya all anda antara apa as at atas atau awal bagaimana bagi bahkan bahwa belum besar
bisa bukan cara cepat com cukup dilakukan hanya harus informasi internet jadi jaringan jika kali
kami karena kasus kata kedua kembali khusus kita lagi layanan lihat masih melakukan melalui
melihat membuat memilih menemukan more mudah new on operasi orang para penggunaan pertama proses
saja sama sangat sebagai sebuah sedang sehingga semua sendiri sering setelah sudah tak tanpa
telah tentang terkait tersebut the tidak to up waktu`,
    `
about akhir alasan alternatif anggota aplikasi arsitektur bahasa baik bawah be bebas beberapa
benar berbagi berdasarkan berikut beroperasi bersama biasa buat daftar dapat dasar data demikian
depan dia dibaca dikirim diminta dipakai ditentukan dukungan dunia feature fisik fokus gagal
gambar group hardware hari hasil hati home id info inggris ingin jauh jelas keamanan kecil
keluarga kepada kerja ketiga keuntungan kode komentar komunitas kondisi kunci lalu lama langsung
layar lengkap like login lokasi luar mail main maka make mampu mana manusia masa masalah masing
masuk media melibatkan memang membantu memberikan membutuhkan meminta memutuskan menambahkan
mencapai mencari mendapatkan menerima mengambil mengapa mengenai menghindari meningkatkan
menjaga menjelaskan merupakan milik mirip modifikasi mulai net network nomor note otomatis over
pemeriksaan pengguna penjelasan per perangkat perintah pesan proyek pun rilis salah sampai
sebagian secara sejumlah sekali sekarang selain selalu selama seluruh seorang sepenuhnya seperti
serangan sesi setiap share siap siapa software status sumber tanda tempat tentu terbaik terbatas
terbuka terhadap terima terjadi terkini termasuk terus tetap tiga tinggi tingkat umum utama
version windows www yaitu`,
    `
administrasi aksi akun alamat alat alih anak and angka apakah apapun area arsip aspek aturan
awalnya baca back bagian bagus bahas baris begitu belajar belakang bentuk beragam berbagai
berbeda berhubungan berjalan berkontribusi berlaku bernama biasanya biaya bila buku bulan copy
daya dekat demi dianggap dibandingkan didukung dihapus diikuti dimana dimulai dinamis diperbaiki
diperhatikan diperiksa dirilis ditulis diubah do dokumentasi drive driver editor email empat en
event events features find flash for free general generate global go gratis grup hak hampir
hidup hingga http https ia identitas index inilah integrasi internal isi it itulah jalan jam
jenis jumlah kantor kasih kebanyakan kebijakan keduanya kejadian kelompok kemudian kesempatan
ketika khususnya kinerja kini komersial konsep kumpulan kurang lakukan langkah laporan line link
lintas lokal made mahir manajemen manajer manfaat maupun melanjutkan melengkapi meliputi memakai
membangun membawa membuka memeriksa memori memperoleh memungkinkan menarik mencatat mendapat
mendengarkan mendukung menetapkan mengakses menggambarkan menggunakan menghentikan
mengidentifikasi mengubah mengurangi menjalankan menolak menunggu menurut menyatakan menyebabkan
menyebutkan menyediakan mesin meskipun misalnya model modern modus most muka muncul mungkin must
nah nama nanti negara nilai no nya of one online or os out page pakai paket paling panjang
pekerjaan pembaca pencarian pengembang pengganti penyedia peran perlu pernah pertanyaan
perusahaan pihak pola policy polos populer pribadi prioritas profil project punya ram read
reboot rekomendasi rencana resmi right risiko ruang salinan sambil samping sayangnya search
sebagainya sebaliknya sebanyak sebelum sebenarnya security sedangkan sederhana sedikit segala
segera sejak sejarah sekaligus sekedar sekitar selesai semakin sementara sempurna serangkaian
serupa seseorang sesuatu set setidaknya setting signifikan silakan singkat sini sisi situs
special studi suara suatu sulit tahun tampak tangan tapi target teknik tepat terbaru terdapat
terkadang terlalu terlibat terlihat tersedia tersembunyi tim tipe top topik total tugas ulang
unik untungnya upaya update us usaha usb user versi video virtual website what you`,
    `
aktivitas al alias april artinya asal ask batas berada beralih berasal berdiri berhasil berita
bersamaan best browser bukti card cetak choice close co ditetapkan edisi faktor follow gb google
history hot hubungan inet instan internasional jalur jangan jangka kanal kanan kapan kehidupan
kelas keluar kuat laptop layak lepas limited load menambah mendistribusikan mengalami
menyarankan news operator our pandangan pasang pasangan pasti pemain penanganan penerimaan
penulis penyebaran periksa periode peristiwa pilih popular praktis pre produk pusat rahasia
related rights rumah rutin seberapa serius sesungguhnya sign sinyal sisa spektrum startup style
success tanggal telepon terletak tes tiap tiba trafik uji zona`,
    `
amerika bantu berlangganan bisnis cari channel copyright corner daerah digital dilihat dirinya
ekonomi energi english gaya keuangan kontes makro masyarakat mau melawan mengatakan mengenal
menjalani penggunanya posisi reserved rss saya sukses tags teknologi tinggal`,
  ],
}
