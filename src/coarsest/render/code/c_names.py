"""Names that a text in C cannot use for things of its own: keywords, macros, and what the standard library declares.

Whoever includes the text may have included any header before it. A macro spoils the name of a field, too; a function or a type
spoils only what is declared outside of structures.
"""

from __future__ import annotations

import re

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register restrict
    return short signed sizeof static struct switch typedef union unsigned void volatile while
    alignas alignof asm constexpr nullptr static_assert thread_local typeof typeof_unqual
    and and_eq bitand bitor bool compl complex errno false imaginary math_errhandling noreturn not not_eq or or_eq stderr stdin
    stdout true xor xor_eq linux unix
    BUFSIZ CLOCKS_PER_SEC DECIMAL_DIG EDOM EILSEQ EOF ERANGE I INFINITY L_tmpnam MB_CUR_MAX NAN NDEBUG NULL WEOF
"""
KEYWORDS_AND_MACROS = frozenset(_WORDS.split())

_MACRO = re.compile(
    r"(?:U?(?:INT|LONG|LLONG|SHRT|CHAR)|SCHAR|PTRDIFF|SIZE|WCHAR|WINT|SIG_ATOMIC|RAND|FILENAME|FOPEN|TMP|MB_LEN)_(?:MAX|MIN|BIT)"
    r"|U?INT_?(?:FAST|LEAST)?(?:8|16|32|64|MAX|PTR)_(?:MAX|MIN)|(?:PRI|SCN)[dioxXu]\w+|SIG[A-Z_]\w*|(?:LC|FLT|DBL|LDBL|FE|FP|SEEK|EXIT|MATH|HUGE)_\w+"
)

_WITH_TYPES = """
    acos acosh asin asinh atan atan2 atanh cabs cacos cacosh carg casin casinh catan catanh cbrt ccos ccosh ceil cexp cimag
    clog conj copysign cos cosh cpow cproj creal csin csinh csqrt ctan ctanh erf erfc exp exp2 expm1 fabs fdim floor fma fmax
    fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint
    nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc
"""
"""Functions of numbers, each in three variants: without an ending, with `f` and with `l`."""

_LIBRARY = """
    FILE abort abs asctime assert atexit atof atoi atol atoll bsearch btowc calloc clearerr clock ctime difftime div exit
    fclose feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feof feraiseexcept ferror fesetenv fesetexceptflag
    fesetround fetestexcept feupdateenv fflush fgetc fgetpos fgets fgetwc fgetws fopen fpclassify fprintf fputc fputs fputwc
    fputws fread free freopen fscanf fseek fsetpos ftell fwide fwprintf fwrite fwscanf getc getchar getenv gets getwc getwchar
    gmtime imaxabs imaxdiv isalnum isalpha isblank iscntrl isdigit isfinite isgraph isgreater isgreaterequal isinf isless
    islessequal islessgreater islower isnan isnormal isprint ispunct isspace isunordered isupper iswalnum iswalpha iswblank
    iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit jmp_buf labs lconv
    ldiv llabs lldiv localeconv localtime longjmp main malloc mblen mbrlen mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc memchr
    memcmp memcpy memmove memset mktime offsetof perror printf putc putchar puts putwc putwchar qsort raise rand realloc
    remove rename rewind scanf setbuf setjmp setlocale setvbuf signal signbit snprintf sprintf srand sscanf strcat strchr
    strcmp strcoll strcpy strcspn strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtof
    strtoimax strtok strtol strtold strtoll strtoul strtoull strtoumax strxfrm swprintf swscanf system time tm tmpfile tmpnam
    tolower toupper towctrans towlower towupper ungetc ungetwc va_arg va_copy va_end va_list va_start vfprintf vfscanf
    vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wcrtomb wcscat wcschr
    wcscmp wcscoll wcscpy wcscspn wcsftime wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod
    wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wcstoumax wcsxfrm wctob wctomb wctrans wctype
    wmemchr wmemcmp wmemcpy wmemmove wmemset wprintf wscanf
"""
LIBRARY = frozenset(_LIBRARY.split()).union(*(frozenset({name, f"{name}f", f"{name}l"}) for name in _WITH_TYPES.split()))


def spoils_fields(name: str) -> bool:
    """Is the name a keyword or a macro, which cannot even name a field? None of them ends in an underscore."""
    return name in KEYWORDS_AND_MACROS or (not name.endswith("_") and _MACRO.fullmatch(name) is not None)


def spoils_declarations(name: str) -> bool:
    """Does the language or its library use the name, so that it cannot be declared?"""
    return spoils_fields(name) or name in LIBRARY or name.endswith("_t")
